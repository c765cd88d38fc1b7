package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.workloads.fix.link.Connection;
import io.tickmark.workloads.fix.link.IoBuffers;
import io.tickmark.workloads.fix.link.Link;
import io.tickmark.workloads.fix.session.AbsentSession;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.OutBuffer;
import io.tickmark.workloads.fix.session.SessionClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One thread with its selector and its sessions. A pass: read every socket that has something, take
 * what other workers bring, then make and write what each session gets, one after the other.
 * Nothing here is shared but the inbox and the counts.
 */
final class Worker implements Runnable, FanOut.Blocking {
    private static final int READ_BYTES = 1 << 16;
    private static final long SELECT_MS = 50;
    private static final long TIMER_NS = 50_000_000;
    private static final long BLOCK_PARK_NS = 50_000;
    private static final long LAST_WORDS_NS = 1_000_000_000;

    private final Shared shared;
    private final WorkerInbox inbox;
    private final SessionClock clock;
    private final Selector selector;
    private final IoBuffers io;
    private final FanOut fanOut;
    private final AwaySessions away;
    private final WorkerSessions sessions;
    private final IdleMode idle;
    private final AtomicBoolean isAsleep = new AtomicBoolean();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final List<Connection> connections = new ArrayList<>();
    private final Consumer<SelectionKey> onKey = this::onKey;
    private final List<SelectionKey> paused = new ArrayList<>();
    private long timerNs;
    private volatile Traffic traffic = Traffic.NONE;
    private volatile boolean isStopping;
    private volatile boolean isLoggingOut;

    /** A connection on its way to its worker. */
    record Arrival(Link link, boolean isProducersPort, byte[] received) {}

    Worker(final Shared shared, final int number, final IdleMode idle, final SessionClock clock) {
        this.shared = shared;
        this.idle = idle;
        this.clock = clock;
        inbox = shared.inbox(number);
        final GatewaySettings settings = shared.settings();
        io = new IoBuffers(READ_BYTES, settings.writeBytes(), settings.session().maxMessageBytes());
        final OutBuffer scratch = new OutBuffer(shared.config().limitBytes());
        away =
                new AwaySessions(
                        settings.store().awayBytes() / shared.workerCount(),
                        scratch,
                        shared::forgotten);
        fanOut =
                new FanOut(
                        settings.subscriptions() == Subscriptions.SYMBOL
                                || shared.slow().conflates(),
                        settings.writeBytes(),
                        this,
                        away);
        sessions = new WorkerSessions(shared, number, fanOut, this, away, scratch);
        try {
            selector = Selector.open();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Takes care of a listening socket; before the start. {@code acceptor} says false where it
     * could not take a connection: it is asked again with the next timer.
     */
    void listen(final ServerSocketChannel socket, final Predicate<ServerSocketChannel> acceptor)
            throws IOException {
        socket.register(selector, SelectionKey.OP_ACCEPT, acceptor);
    }

    /** Somebody that messages were kept for before the gateway began; before the start. */
    void isAway(final Stores.Kept kept) {
        away.add(
                kept.counterpart(),
                new AbsentSession(shared.config(), kept.counterpart(), kept.store(), clock));
    }

    /** Hands a connection over; any thread. */
    void arrive(final Arrival arrival) {
        arrivals.add(arrival);
        selector.wakeup();
    }

    /** Wakes the worker if it waits for sockets; any thread. */
    void wake() {
        if (isAsleep.compareAndSet(true, false)) {
            selector.wakeup();
        }
    }

    @Override
    public void run() {
        try {
            while (!isStopping) {
                pass();
            }
        } catch (final IOException | RuntimeException | Error e) {
            shared.failed(e);
        } finally {
            close();
        }
    }

    private void pass() throws IOException {
        int work = selector.selectNow(onKey);
        clock.update();
        work += inbox.drain(fanOut);
        if (work == 0) {
            waitForWork();
        }
        fanOut.deliver();
        takeArrivals();
        flushAll();
        if (clock.nowNs() - timerNs >= TIMER_NS) {
            timerNs = clock.nowNs();
            onTimer();
        }
    }

    private void waitForWork() throws IOException {
        if (idle == IdleMode.SPIN) {
            Thread.onSpinWait();
            return;
        }
        if (idle == IdleMode.YIELD) {
            Thread.yield();
            return;
        }
        isAsleep.set(true);
        if (inbox.isEmpty()) {
            selector.select(onKey, SELECT_MS);
        }
        isAsleep.set(false);
        clock.update();
        inbox.drain(fanOut);
    }

    @SuppressWarnings("unchecked") // attached by listen()
    private void onKey(final SelectionKey key) {
        if (key.attachment() instanceof final Connection connection) {
            try {
                if (key.isReadable()) {
                    clock.update();
                    connection.receive(io);
                }
            } catch (final CancelledKeyException e) {
                return; // closed while its message was handled
            }
        } else {
            final boolean isTaken =
                    ((Predicate<ServerSocketChannel>) key.attachment())
                            .test((ServerSocketChannel) key.channel());
            if (!isTaken) { // it stays ready: without a pause this thread would do nothing else
                key.interestOps(0);
                paused.add(key);
            }
        }
    }

    private void takeArrivals() {
        for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
            try {
                final Connection connection = sessions.open(next, clock);
                connection.registered(
                        next.link().channel().register(selector, SelectionKey.OP_READ, connection));
                connections.add(connection);
                connection.begin(io, next.received());
            } catch (final IOException e) {
                next.link().close();
                shared.notAccepted(IoReason.of(e));
            }
        }
    }

    private void flushAll() {
        final long nowNs = clock.nowNs();
        boolean hasClosed = false;
        for (int i = connections.size() - 1; i >= 0; i--) {
            final Connection connection = connections.get(i);
            final FixSession session = connection.session();
            if (session.isMoved() && !connection.isClosed()) {
                connections.remove(i);
                shared.worker(sessions.home(connection)).arrive(sessions.moving(connection));
                continue;
            }
            final boolean isToWrite =
                    session.out().waiting() > 0
                            || connection.link().isWaiting()
                            || session.state() == FixSession.State.ENDED;
            if (isToWrite && !connection.isClosed()) {
                connection.flush(io, nowNs);
            }
            if (connection.isClosed()) {
                sessions.closed(connection);
                connections.remove(i);
                hasClosed = true;
            }
        }
        if (hasClosed) { // who sees that they are gone sees all that they got, too
            traffic = sessions.traffic(connections);
            sessions.tellGone();
        }
        fanOut.catchUp(nowNs);
    }

    /** Writes what waits for a consumer now, not at the end of the pass. */
    void flushEarly(final Connection connection) {
        if (!connection.isBlocked()) {
            connection.flush(io, clock.nowNs());
        }
    }

    private void onTimer() {
        for (final SelectionKey key : paused) { // what hindered them may be over
            if (key.isValid()) {
                key.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
        paused.clear();
        for (final Connection connection : connections) {
            connection.session().onTimer();
            if (sessions.isCrowdedOut(connection)
                    && connection.session().state() == FixSession.State.AWAITING_LOGON) {
                connection.session().end("too many connections waited for their Logon");
            }
            if (isLoggingOut) {
                connection.session().logout("");
            }
            if (connection.session().state() == FixSession.State.ENDED
                    && connection.blockedNs(clock.nowNs()) > LAST_WORDS_NS) {
                connection.close(); // it does not read what is left to say
            }
        }
        traffic = sessions.traffic(connections);
    }

    @Override
    public boolean await(
            final io.tickmark.workloads.fix.gateway.Consumer consumer, final long sinceNs) {
        clock.update();
        for (final Connection connection : connections) {
            if (!connection.isClosed() && connection.session().out().waiting() > 0) {
                connection.flush(io, clock.nowNs());
            }
        }
        LockSupport.parkNanos(BLOCK_PARK_NS);
        clock.update();
        return !isStopping && clock.nowNs() - sinceNs < consumer.patienceNs();
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    FanOut fanOut() {
        return fanOut;
    }

    Traffic traffic() {
        return traffic;
    }

    /** Asks all sessions to end in good order; any thread. */
    void logOut() {
        isLoggingOut = true;
    }

    /** Whether the thread is to end; any thread. */
    boolean isStopping() {
        return isStopping;
    }

    /** Ends the thread; any thread. */
    void stop() {
        isStopping = true;
        selector.wakeup();
    }

    private void close() {
        connections.forEach(Connection::close);
        for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
            next.link().close();
        }
        away.settleAll();
        traffic = sessions.traffic(connections);
        try {
            selector.close();
        } catch (final IOException e) {
            // nothing is lost with it
        }
    }
}
