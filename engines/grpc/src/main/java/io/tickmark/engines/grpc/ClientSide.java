package io.tickmark.engines.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.HostPort;
import java.net.InetAddress;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The side that connects: one call at a time, repeated for as long as it is driven, also when the
 * other side was closed.
 */
final class ClientSide extends Calls {
    private static final long RETRY_INTERVAL_NS = 10_000_000;

    private final ChannelUri channel;
    private final HostPort address;
    private final boolean oneWay;
    private final ManagedChannel client;
    private final EngineErrors broken =
            new EngineErrors(
                    "The call to the publisher broke: %s.",
                    "%d calls to the publisher broke, the first: %s.");
    private volatile String refusal = "";
    private long nextAttemptNs = SystemNanoClock.INSTANCE.nanoTime();

    /** Calls at once, and waits for nothing. */
    ClientSide(final ChannelUri channel, final GrpcParameters parameters, final boolean oneWay) {
        super(channel, parameters, false);
        this.channel = channel;
        this.oneWay = oneWay;
        address = HostPort.of(channel);
        client =
                NettyChannelBuilder.forAddress(address.socketAddress())
                        .eventLoopGroup(threads())
                        .channelType(NioSocketChannel.class)
                        .directExecutor()
                        .usePlaintext()
                        .disableRetry() // which keeps a copy of what was sent
                        .maxInboundMessageSize(parameters.maxPayloadBytes())
                        .flowControlWindow(parameters.windowBytes())
                        .build();
        admit();
    }

    @Override
    void admit() {
        final long nowNs = SystemNanoClock.INSTANCE.nanoTime();
        if (isClosed() || peers().length > 0 || nowNs - nextAttemptNs < 0) {
            return;
        }
        nextAttemptNs = nowNs + RETRY_INTERVAL_NS;
        client.resetConnectBackoff(); // the library would wait for up to two minutes
        final ClientCall<byte[], byte[]> call =
                client.newCall(
                        oneWay ? Methods.SUBSCRIBE : Methods.EXCHANGE,
                        CallOptions.DEFAULT.withOnReadyThreshold(parameters().sendPendingBytes()));
        final Call peer = new Call.Calling(call, oneWay, parameters());
        add(peer);
        call.start(new CallListener(peer), headers());
        peer.request();
        if (oneWay) {
            call.sendMessage(new byte[0]);
            call.halfClose();
        }
    }

    private Metadata headers() {
        final Metadata headers = new Metadata();
        if (!token().isEmpty()) {
            headers.put(Methods.AUTHORIZATION, Methods.bearer(token()));
        }
        return headers;
    }

    /** On a thread of the library. */
    private final class CallListener extends ClientCall.Listener<byte[]> {
        private final Call peer;

        CallListener(final Call peer) {
            this.peer = peer;
        }

        @Override
        public void onHeaders(final Metadata headers) {
            refusal = "";
            onOpen(peer);
        }

        @Override
        public void onMessage(final byte[] message) {
            onArrived(peer, message);
        }

        @Override
        public void onClose(final Status status, final Metadata trailers) {
            if (peer.isOpen() && !status.isOk() && !isClosed()) {
                broken.add(reason(status));
            } else if (!status.isOk()) {
                refusal = reason(status);
            }
            peer.onLeft();
        }
    }

    /** What is wrong and what to do, without its full stop. */
    private String reason(final Status status) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED ->
                    "the publisher refuses the token; give both sides the same ?tokenFile";
            case UNIMPLEMENTED ->
                    "what answers there does not know %s; give the address of a tickmark publisher"
                            .formatted(Methods.SERVICE);
            case RESOURCE_EXHAUSTED ->
                    "a message is too long for this side (%s); give both sides the same ?maxPayloadBytes"
                            .formatted(status.getDescription());
            default ->
                    "no gRPC publisher answers at %s (%s); start it, or give its address"
                            .formatted(address.authority(), said(status));
        };
    }

    private static String said(final Status status) {
        Throwable cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        final String words =
                cause != null && cause.getMessage() != null
                        ? cause.getMessage()
                        : String.valueOf(status.getDescription());
        return words.lines().findFirst().orElse("").strip();
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    Optional<InetAddress> remote() {
        return Optional.of(address.address());
    }

    /** A missing peer is only reported to a caller that waits until its time is over. */
    @Override
    public Optional<String> engineErrors() {
        final String why = refusal;
        return hasEverOpened() || why.isEmpty()
                ? broken.sentence()
                : Optional.of("Not connected: " + why + ".");
    }

    @Override
    void release() {
        for (final Call peer : peers()) {
            if (peer.isOpen()) {
                peer.end();
                awaitLeft(peer);
            }
        }
        client.shutdownNow();
    }
}
