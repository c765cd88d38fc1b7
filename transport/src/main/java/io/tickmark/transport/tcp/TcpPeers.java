package io.tickmark.transport.tcp;

import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.WirePath;
import io.tickmark.transport.socket.KernelTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * The connections of one side, used together, as its publication, its subscription, or both ends of
 * an exchange: a message is sent to all or refused, messages are taken from each in turn. New
 * connections are accepted at most every millisecond, and never while there is something to read.
 * Single-threaded.
 */
abstract class TcpPeers implements Publication, Subscription {
    static final int MAX_CONNECTIONS = 64;

    /** How long the other side may take to open a connection. */
    static final long OPENING_NS = TimeUnit.SECONDS.toNanos(3);

    private static final long ADMIT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_WAIT_MS = 100;
    private static final long NAP_NS = 20_000;

    /** A message of usual length, for what is put before messages on the wire. */
    private static final int TYPICAL_BYTES = 64;

    private static final MessageHandler NOBODY = (buffer, offset, length) -> {};

    private final TcpTransport.Parameters parameters;
    private final boolean onlySends;
    private final Framing.Maker framing;
    private final NanoClock clock;
    private final Selector selector;
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final TcpConnection[] connections = new TcpConnection[MAX_CONNECTIONS];
    private final List<Opening> opening = new ArrayList<>();
    private int count;
    private int first;
    private long nextAdmitNs;
    private long position;
    private int gathered;
    private final KernelStamps stamps;

    /** Numbers of sends by position, at the connection that a message goes to first. */
    private final int[] sends;

    private TcpConnection sender;
    private long senderSince;
    private int polled;
    private long totalConnections;
    private long garbledConnections;
    private long refusedConnections;
    private String refusal = "";
    private String refusedFor = "";
    private boolean closed;

    /** A connection whose sides have not said all yet that opens it. */
    private record Opening(TcpConnection connection, long sinceNs) {}

    /**
     * Nobody is connected yet.
     *
     * @param onlySends whether nobody polls, so that it has to detect closed connections itself
     */
    TcpPeers(
            final TcpTransport.Parameters parameters,
            final boolean onlySends,
            final Framing.Maker framing,
            final NanoClock clock) {
        this.parameters = parameters;
        this.onlySends = onlySends;
        this.framing = framing;
        this.clock = clock;
        this.nextAdmitNs = clock.nanoTime();
        stamps = parameters.kernelTimes() ? TcpSockets.kernelStamps() : KernelStamps.NOT_ASKED;
        sends = new int[stamps.areKept() ? KernelTimes.MOST : 0];
        try {
            selector = Selector.open();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Accepts new connections. */
    abstract void admit();

    /** A key that does not belong to a connection is ready. */
    abstract void onReady(SelectionKey key);

    /** Releases everything that is not a connection. */
    abstract void closeOwn();

    @Override
    public final long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed) {
            return CLOSED;
        }
        if (length > Framing.MAX_PAYLOAD_BYTES) {
            return TOO_LONG;
        }
        if (count == 0) {
            admitNowAndThen();
            return NOT_CONNECTED;
        }
        for (int i = count - 1; i >= 0; i--) {
            if (!connections[i].canTake(length)) {
                connections[i].write();
                if (!connections[i].canTake(length)) {
                    return BACK_PRESSURED;
                }
            }
        }
        return send(buffer, offset, length);
    }

    private long send(final DirectBuffer buffer, final int offset, final int length) {
        final TcpConnection first = connections[count - 1];
        for (int i = count - 1; i >= 0; i--) {
            connections[i].take(buffer, offset, length);
            if (parameters.batchBytes() == 0) {
                connections[i].write();
            }
            removeIfBroken(i);
        }
        if (count == 0) {
            return NOT_CONNECTED;
        }
        gathered++;
        position++;
        if (sends.length > 0) {
            noteSend(first);
        }
        return position;
    }

    private void noteSend(final TcpConnection first) {
        if (first != sender) {
            sender = first;
            senderSince = position;
        }
        sends[(int) position & sends.length - 1] = first.lastSend();
    }

    @Override
    public final KernelStamps kernelStamps() {
        return stamps;
    }

    /** Of the connection that the message went to first. */
    @Override
    public final long departedNs(final long ofPosition) {
        return isRemembered(ofPosition)
                ? sender.departedNs(sends[(int) ofPosition & sends.length - 1])
                : 0;
    }

    /** Of the same. */
    @Override
    public final long queuedNs(final long ofPosition) {
        return isRemembered(ofPosition)
                ? sender.queuedNs(sends[(int) ofPosition & sends.length - 1])
                : 0;
    }

    /** Of the same. */
    @Override
    public final long cardDepartedNs(final long ofPosition) {
        return isRemembered(ofPosition)
                ? sender.cardDepartedNs(sends[(int) ofPosition & sends.length - 1])
                : 0;
    }

    private boolean isRemembered(final long ofPosition) {
        return sender != null && ofPosition >= senderSince && position - ofPosition < sends.length;
    }

    @Override
    public final long arrivedNs() {
        return polled < count ? connections[polled].arrivedNs() : 0;
    }

    @Override
    public final long cardArrivedNs() {
        return polled < count ? connections[polled].cardArrivedNs() : 0;
    }

    private void takeDepartures() {
        for (int i = 0; i < count && sends.length > 0; i++) {
            connections[i].takeDepartures();
        }
    }

    @Override
    public final int flush() {
        boolean done = true;
        for (int i = count - 1; i >= 0; i--) {
            done &= connections[i].write();
            removeIfBroken(i);
        }
        if (!done) {
            return (int) BACK_PRESSURED;
        }
        final int sent = gathered;
        gathered = 0;
        return sent;
    }

    @Override
    public final int poll(final MessageHandler handler, final int limit) {
        int handed = 0;
        first = first + 1 < count ? first + 1 : 0;
        for (int i = 0; i < count && handed < limit; i++) {
            final int turn = first + i < count ? first + i : first + i - count;
            polled = turn;
            handed += connections[turn].read(handler, limit - handed);
        }
        if (handed == 0) {
            for (int i = count - 1; i >= 0; i--) {
                removeIfBroken(i);
            }
            admitNowAndThen();
        }
        return handed;
    }

    @Override
    public final int doWork() {
        if (onlySends) {
            poll(NOBODY, 1);
        }
        final int before = count;
        for (int i = count - 1; i >= 0; i--) {
            if (parameters.batchBytes() == 0) {
                connections[i].write();
            }
            removeIfBroken(i);
        }
        takeDepartures();
        admitNowAndThen();
        return before == count ? 0 : 1;
    }

    private void admitNowAndThen() {
        if (!closed && clock.nanoTime() - nextAdmitNs >= 0) {
            nextAdmitNs = clock.nanoTime() + ADMIT_INTERVAL_NS;
            admit();
            openOthers();
        }
    }

    private void openOthers() {
        for (int i = opening.size() - 1; i >= 0; i--) {
            final Opening one = opening.get(i);
            final boolean isOpen = one.connection().open();
            final boolean isLate = clock.nanoTime() - one.sinceNs() > OPENING_NS;
            if (isOpen || one.connection().isBroken() || isLate) {
                opening.remove(i);
                if (isOpen) {
                    join(one.connection());
                } else {
                    giveUp(one.connection());
                }
            }
        }
    }

    private void join(final TcpConnection connection) {
        connections[count++] = connection;
        totalConnections++;
        refusal = "";
    }

    private void giveUp(final TcpConnection connection) {
        garbledConnections += connection.isGarbled() ? 1 : 0;
        refusal =
                connection.isGarbled()
                        ? connection.refusal()
                        : connection.isBroken()
                                ? "it closed the connection during the handshake"
                                : "it did not complete the handshake in time";
        connection.close();
    }

    /** Whether a connection is neither open nor given up. */
    final boolean isOpening() {
        return !opening.isEmpty();
    }

    /** Why the last connection was not opened; empty where it was. */
    final String refusal() {
        return refusal;
    }

    /** Waits in the kernel until a socket is readable or a peer connects. */
    @Override
    public final void await(final long timeoutNs) {
        for (int i = 0; i < count; i++) {
            if (connections[i].hasMessage()) {
                return;
            }
        }
        takeDepartures();
        final long wholeMs = TimeUnit.NANOSECONDS.toMillis(timeoutNs);
        if (wholeMs > 0) {
            select(Math.min(wholeMs, LONGEST_WAIT_MS));
        } else {
            awaitShortly(timeoutNs);
        }
    }

    /** A selector counts in milliseconds: less than one is waited for in naps. */
    private void awaitShortly(final long timeoutNs) {
        final long endNs = clock.nanoTime() + timeoutNs;
        long leftNs = timeoutNs;
        while (leftNs > 0 && !closed && !isReadable()) {
            LockSupport.parkNanos(Math.min(leftNs, NAP_NS));
            leftNs = endNs - clock.nanoTime();
        }
    }

    private boolean isReadable() {
        try {
            return selector.selectNow(onReady) > 0;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final void select(final long timeoutMs) {
        try {
            if (timeoutMs == 0) {
                selector.selectNow(onReady);
            } else if (!closed) {
                selector.select(onReady, timeoutMs);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final Selector selector() {
        return selector;
    }

    final TcpTransport.Parameters parameters() {
        return parameters;
    }

    final int count() {
        return count;
    }

    @Override
    public final int subscriberCount() {
        return count;
    }

    @Override
    public final boolean isConnected() {
        return count > 0;
    }

    @Override
    public final boolean wakesOnArrival() {
        return true;
    }

    final boolean isClosed() {
        return closed;
    }

    /** Adds a connected socket, or closes it where there are too many. */
    final void add(final SocketChannel socket) {
        try {
            if (count + opening.size() == MAX_CONNECTIONS) {
                countRefused("there are " + MAX_CONNECTIONS + " already");
                socket.close();
                return;
            }
            TcpSockets.prepare(socket, parameters);
            socket.register(selector, SelectionKey.OP_READ);
            final TcpConnection connection =
                    new TcpConnection(
                            socket,
                            framing.make(),
                            parameters.batchBytes(),
                            stamps.areKept() ? TcpSockets.kernelTimes(socket) : Optional.empty());
            if (connection.open()) {
                join(connection);
            } else {
                opening.add(new Opening(connection, clock.nanoTime()));
            }
        } catch (final IOException e) {
            // Closed before it was added, or refused by the system: the others continue.
            CloseHelper.quietClose(socket);
            countRefused(IoReason.of(e));
        }
    }

    /** A connection was not taken, for that reason. */
    final void countRefused(final String reason) {
        refusedConnections++;
        refusedFor = reason;
        refusal = "it is not accepted (" + reason + ")";
    }

    private void removeIfBroken(final int index) {
        final TcpConnection connection = connections[index];
        if (connection.isBroken()) {
            garbledConnections += connection.isGarbled() ? 1 : 0;
            connection.close();
            connections[index] = connections[--count];
            connections[count] = null;
        }
    }

    /** The link of the first connection; all connections receive each message. */
    @Override
    public final Optional<WirePath> wirePath() {
        if (count == 0) {
            return Optional.empty();
        }
        final InetAddress peer = connections[0].socket().socket().getInetAddress();
        return Optional.ofNullable(peer)
                .flatMap(NetworkLink::towards)
                .map(link ->
                        WirePath.stream(
                                link,
                                peer instanceof Inet6Address,
                                connections[0].headerBytes(TYPICAL_BYTES),
                                count));
    }

    @Override
    public final boolean isCount(final String fact) {
        return fact.equals("garbledConnections") || fact.equals("refusedConnections");
    }

    @Override
    public final Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("connections", totalConnections);
        facts.put("garbledConnections", garbledConnections);
        facts.put("refusedConnections", refusedConnections);
        if (refusedConnections > 0) {
            facts.put("refusedFor", refusedFor);
        }
        if (count > 0) {
            facts.putAll(TcpSockets.facts(connections[0].socket()));
        }
        if (count > 0 && stamps.areKept()) {
            TcpSockets.stampedBy(connections[0].socket())
                    .ifPresent(by -> facts.put(KernelTimes.FACT, by));
        }
        return facts;
    }

    /** Why there is no connection although the other side is there. */
    @Override
    public final Optional<String> engineErrors() {
        return refusal.isEmpty() || count > 0
                ? Optional.empty()
                : Optional.of(
                        "The other end of %s is there, but no connection could be opened: %s."
                                .formatted(channel(), refusal));
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            while (count > 0) {
                connections[--count].close();
            }
            opening.forEach(one -> one.connection().close());
            closeOwn();
            CloseHelper.quietClose(selector);
        }
    }
}
