package io.tickmark.engines.grpc;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.WirePath;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.Inbox;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The calls of one side, used together, as its publication, its subscription, or both ends of an
 * exchange: a message is sent to all or refused, messages are taken as they have arrived.
 * Single-threaded, except for the library's call-backs.
 */
abstract class Calls implements Publication, Subscription {
    /** How long closing waits for what was sent to leave. */
    static final long CLOSE_PATIENCE_NS = 2_000_000_000;

    /**
     * Before each message: 9 bytes of a frame of HTTP/2 (RFC 9113, section 4.1) and 5 of gRPC
     * (PROTOCOL-HTTP2.md, Length-Prefixed-Message).
     */
    private static final int HEADER_BYTES = 14;

    private static final long LONGEST_WAIT_NS = 100_000_000;

    private static final MessageHandler NOBODY = (buffer, offset, length) -> {};

    static {
        // gRPC logs through the JDK, which would write to the user's terminal.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    private final GrpcParameters parameters;
    private final boolean onlySends;
    private final String token;
    private final EventLoopGroup threads;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);

    /** Without a limit: each peer is held back on its own. */
    private final Inbox<Arrival> arrived =
            new Inbox<>(arrival -> arrival.message().length, Long.MAX_VALUE);

    private volatile Call[] peers = {};
    private final AtomicLong opened = new AtomicLong();
    private long position;
    private boolean closed;

    private record Arrival(Call peer, byte[] message) {}

    /**
     * Nobody has called yet.
     *
     * @param onlySends whether nobody polls, so that it has to detect disconnects itself
     */
    Calls(final ChannelUri uri, final GrpcParameters parameters, final boolean onlySends) {
        token = GrpcTransport.token(uri, parameters);
        this.parameters = parameters;
        this.onlySends = onlySends;
        threads =
                new MultiThreadIoEventLoopGroup(parameters.ioThreads(), NioIoHandler.newFactory());
    }

    @Override
    public abstract Optional<String> engineErrors();

    /** Calls the other side, where that is for this one to do. */
    abstract void admit();

    /** The receivers of messages. */
    abstract Optional<InetAddress> remote();

    /** Closes the library's part once everything was sent, at the latest after a while. */
    abstract void release();

    final EventLoopGroup threads() {
        return threads;
    }

    /** What the other side must know; empty for nothing. */
    final String token() {
        return token;
    }

    final GrpcParameters parameters() {
        return parameters;
    }

    /** Any thread. */
    final synchronized void add(final Call peer) {
        final Call[] more = Arrays.copyOf(peers, peers.length + 1);
        more[peers.length] = peer;
        peers = more;
    }

    private synchronized void removeWhoLeft() {
        peers = Stream.of(peers).filter(peer -> !peer.hasLeft()).toArray(Call[]::new);
    }

    /** On a thread of the library. */
    final void onOpen(final Call peer) {
        opened.incrementAndGet();
        BoundedClose.serverAnswered();
        peer.onOpen();
        arrived.wake();
    }

    /** On a thread of the library. */
    final void onArrived(final Call peer, final byte[] message) {
        arrived.add(new Arrival(peer, message));
        peer.onArrived(message.length);
    }

    @Override
    public final long offer(final DirectBuffer source, final int offset, final int length) {
        if (closed) {
            return CLOSED;
        }
        if (length > parameters.maxPayloadBytes()) {
            return TOO_LONG;
        }
        final Call[] all = peers;
        boolean anyone = false;
        for (final Call peer : all) {
            if (peer.isOpen()) {
                if (!peer.isReady()) {
                    return BACK_PRESSURED;
                }
                anyone = true;
            }
        }
        if (!anyone) {
            admit();
            return NOT_CONNECTED;
        }
        final byte[] copy = new byte[length];
        source.getBytes(offset, copy);
        for (final Call peer : all) {
            if (peer.isOpen()) {
                peer.send(copy);
            }
        }
        position += length;
        return position;
    }

    @Override
    public final int poll(final MessageHandler handler, final int limit) {
        if (closed) {
            return 0;
        }
        int handed = 0;
        Arrival next = null;
        while (handed < limit && (next = arrived.poll()) != null) {
            next.peer().onTaken(next.message().length);
            buffer.wrap(next.message());
            handler.onMessage(buffer, 0, next.message().length);
            handed++;
        }
        for (final Call peer : peers) {
            if (peer.hasLeft()) {
                removeWhoLeft();
                break;
            }
        }
        if (handed == 0) {
            admit();
        }
        return handed;
    }

    @Override
    public final void await(final long timeoutNs) {
        arrived.await(Math.min(timeoutNs, LONGEST_WAIT_NS));
    }

    @Override
    public final int doWork() {
        return onlySends ? poll(NOBODY, 1) : 0;
    }

    @Override
    public final boolean wakesOnArrival() {
        return true;
    }

    @Override
    public final KernelStamps kernelStamps() {
        return KernelStamps.NOT_ASKED;
    }

    @Override
    public final int subscriberCount() {
        int count = 0;
        for (final Call peer : peers) {
            count += peer.isOpen() ? 1 : 0;
        }
        return count;
    }

    /** A peer is connected, or has left messages. */
    @Override
    public final boolean isConnected() {
        return subscriberCount() > 0 || !arrived.isEmpty();
    }

    final Call[] peers() {
        return peers;
    }

    final boolean hasEverOpened() {
        return opened.get() > 0;
    }

    final boolean isClosed() {
        return closed;
    }

    @Override
    public final boolean isCount(final String fact) {
        return fact.equals("calls");
    }

    @Override
    public final Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("calls", opened.get());
        facts.put("clientThreads", parameters.ioThreads());
        facts.put("sendPendingBytes", parameters.sendPendingBytes());
        facts.put("receivePendingBytes", parameters.receivePendingBytes());
        facts.put("windowBytes", parameters.windowBytes());
        return facts;
    }

    @Override
    public final Optional<WirePath> wirePath() {
        final int count = subscriberCount();
        return remote().flatMap(address ->
                NetworkLink.towards(address)
                        .map(link ->
                                WirePath.stream(
                                        link,
                                        address instanceof Inet6Address,
                                        HEADER_BYTES,
                                        Math.max(1, count))));
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            release();
            threads.shutdownGracefully(0, CLOSE_PATIENCE_NS, TimeUnit.NANOSECONDS)
                    .awaitUninterruptibly(CLOSE_PATIENCE_NS, TimeUnit.NANOSECONDS);
        }
    }

    /** Waits a moment for the other side to receive what was sent. */
    static void awaitLeft(final Call peer) {
        BoundedClose.await(CLOSE_PATIENCE_NS, peer::hasLeft);
    }
}
