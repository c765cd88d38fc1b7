package io.tickmark.engines.grpc;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.tickmark.kernel.settings.CannotListen;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.broker.BoundedClose;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** The side that binds: a server, whose callers are its peers. */
final class ServerSide extends Calls {
    private final Server server;
    private final ChannelUri channel;
    private final EngineErrors refused =
            new EngineErrors(
                    "A caller was refused: %s.", "%d callers were refused, the first: %s.");
    private volatile InetAddress lastCaller;

    /** Binds. */
    ServerSide(final ChannelUri uri, final GrpcParameters parameters, final boolean onlySends) {
        final HostPort wanted = HostPort.of(uri);
        super(uri, parameters, onlySends);
        try {
            server =
                    NettyServerBuilder.forAddress(wanted.socketAddress())
                            .bossEventLoopGroup(threads())
                            .workerEventLoopGroup(threads())
                            .channelType(NioServerSocketChannel.class)
                            .directExecutor()
                            .maxInboundMessageSize(parameters.maxPayloadBytes())
                            .flowControlWindow(parameters.windowBytes())
                            .addService(
                                    ServerServiceDefinition.builder(Methods.SERVICE)
                                            .addMethod(Methods.SUBSCRIBE, this::onSubscribe)
                                            .addMethod(Methods.EXCHANGE, this::onExchange)
                                            .build())
                            .build()
                            .start();
        } catch (final IOException e) {
            close();
            throw CannotListen.on("--channel " + uri, wanted.authority(), e);
        }
        channel = uri.withAuthority(wanted.withPort(server.getPort()).authority());
    }

    private ServerCall.Listener<byte[]> onSubscribe(
            final ServerCall<byte[], byte[]> call, final Metadata headers) {
        return admitted(call, headers, false);
    }

    private ServerCall.Listener<byte[]> onExchange(
            final ServerCall<byte[], byte[]> call, final Metadata headers) {
        return admitted(call, headers, true);
    }

    /** On a thread of the library. */
    private ServerCall.Listener<byte[]> admitted(
            final ServerCall<byte[], byte[]> call, final Metadata headers, final boolean speaks) {
        if (!token().isEmpty()
                && !Methods.bearer(token()).equals(headers.get(Methods.AUTHORIZATION))) {
            refused.add("its token is not ours; give both sides the same ?tokenFile");
            call.close(Status.UNAUTHENTICATED.withDescription("wrong token"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        if (call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)
                instanceof final InetSocketAddress address) {
            lastCaller = address.getAddress();
        }
        final Call peer = new Call.Called(call, parameters());
        add(peer);
        onOpen(peer);
        peer.request();
        return new ServerCall.Listener<>() {
            @Override
            public void onMessage(final byte[] message) {
                if (speaks) {
                    onArrived(peer, message);
                }
            }

            @Override
            public void onHalfClose() {
                if (speaks) {
                    peer.end(); // it disconnects in an orderly way
                }
            }

            @Override
            public void onCancel() {
                peer.onLeft();
            }

            @Override
            public void onComplete() {
                peer.onLeft();
            }
        };
    }

    @Override
    void admit() {}

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    Optional<InetAddress> remote() {
        return Optional.ofNullable(lastCaller);
    }

    @Override
    public Optional<String> engineErrors() {
        return refused.sentence();
    }

    @Override
    void release() {
        if (server == null) {
            return;
        }
        server.shutdown();
        for (final Call peer : peers()) {
            peer.end();
        }
        BoundedClose.await(CLOSE_PATIENCE_NS, server::isTerminated);
        if (!server.isTerminated()) {
            server.shutdownNow();
            BoundedClose.await(CLOSE_PATIENCE_NS, server::isTerminated);
        }
    }
}
