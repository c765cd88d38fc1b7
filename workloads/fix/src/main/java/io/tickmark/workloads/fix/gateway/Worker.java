package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.Waker;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.fix.gateway.GatewaySettings.FanOutRule;
import io.tickmark.workloads.fix.gateway.GatewaySettings.Subscriptions;
import io.tickmark.workloads.fix.link.ByteLink;
import io.tickmark.workloads.fix.link.Connection;
import io.tickmark.workloads.fix.link.IoBuffers;
import io.tickmark.workloads.fix.message.StampTags;
import io.tickmark.workloads.fix.session.AbsentSession;
import io.tickmark.workloads.fix.session.BodyScan;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.MessageStore;
import io.tickmark.workloads.fix.session.OutBuffer;
import io.tickmark.workloads.fix.session.SessionClock;
import io.tickmark.workloads.fix.session.SessionHandler;
import io.tickmark.workloads.fix.session.SessionHandler.Admission;
import io.tickmark.workloads.fix.session.SessionHandler.LogonRequest;
import io.tickmark.workloads.fix.session.Tags;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * One thread with its selector and its sessions. A pass: read every readable socket, take messages
 * of other workers, then encode and write the messages of each session, one after the other. Only
 * the inbox and the counts are shared.
 */
final class Worker implements Runnable, FanOut.Blocking {
    private static final int READ_BYTES = 1 << 16;
    private static final long TIMER_NS = 50_000_000;
    private static final long BLOCK_PARK_NS = 50_000;
    private static final long LAST_WORDS_NS = 1_000_000_000;

    private final GatewayState gateway;
    private final WorkerInbox inbox;
    private final SessionClock clock;
    private final Selector selector;
    private final IoBuffers io;
    private final FanOut fanOut;
    private final AwaySessions away;
    private final WorkerSessions sessions;
    private final Idle idle;
    private final StallWatch watch;
    private final Waker waker = this::sleep;
    private final AtomicBoolean isAsleep = new AtomicBoolean();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final List<Connection> connections = new ArrayList<>();
    private final java.util.function.Consumer<SelectionKey> onKey = this::onKey;
    private final List<SelectionKey> paused = new ArrayList<>();
    private long timerNs;
    private volatile GatewayCounts counts = GatewayCounts.COLUMNS.zero();
    private volatile boolean isStopping;
    private volatile boolean isLoggingOut;

    /** A connection on its way to its worker. */
    record Arrival(ByteLink link, boolean isProducersPort, byte[] received) {}

    Worker(
            final GatewayState gateway,
            final int number,
            final Idle idle,
            final StallWatch watch,
            final SessionClock clock) {
        this.gateway = gateway;
        this.idle = idle;
        this.watch = watch;
        idle.watch(watch);
        this.clock = clock;
        inbox = gateway.inbox(number);
        final GatewaySettings settings = gateway.settings();
        io = new IoBuffers(READ_BYTES, settings.writeBytes(), settings.session().maxMessageBytes());
        final OutBuffer scratch = new OutBuffer(gateway.config().limitBytes());
        away =
                new AwaySessions(
                        settings.store().awayBytes() / gateway.workerCount(),
                        scratch,
                        gateway::forgotten);
        fanOut =
                new FanOut(
                        settings.subscriptions() == Subscriptions.SYMBOL
                                || gateway.slow().conflates(),
                        settings.writeBytes(),
                        this,
                        away);
        sessions = new WorkerSessions(gateway, number, fanOut, this, away, scratch);
        try {
            selector = Selector.open();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Serves a listening socket; to be called before the start. {@code acceptor} returns false
     * where it could not accept a connection: it is called again with the next timer.
     */
    void listen(final ServerSocketChannel socket, final Predicate<ServerSocketChannel> acceptor)
            throws IOException {
        socket.register(selector, SelectionKey.OP_ACCEPT, acceptor);
    }

    /**
     * A counterparty for which messages were kept before the gateway began; to be called before the
     * start.
     */
    void isAway(final FixStores.Kept kept) {
        away.add(
                kept.counterpart(),
                new AbsentSession(gateway.config(), kept.counterpart(), kept.store(), clock));
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
        watch.begin();
        try {
            while (!isStopping) {
                pass();
            }
        } catch (final IOException | RuntimeException | Error e) {
            gateway.failed(e);
        } finally {
            watch.end();
            close();
        }
    }

    private void pass() throws IOException {
        watch.worked(); // reading, encoding and writing are not stalls
        int work = selector.selectNow(onKey);
        clock.update();
        watch.look(clock.nowNs());
        watch.worked();
        work += inbox.drain(fanOut);
        if (work > 0) {
            idle.reset();
        } else {
            idle.await(waker, Idle.NEVER_DUE);
        }
        fanOut.deliver();
        takeArrivals();
        flushAll();
        if (clock.nowNs() - timerNs >= TIMER_NS) {
            timerNs = clock.nowNs();
            onTimer();
        }
    }

    private void sleep(final long longestNs) {
        final long ms = Math.max(1, TimeUnit.NANOSECONDS.toMillis(longestNs)); // 0 is for ever
        isAsleep.set(true);
        try {
            if (inbox.isEmpty() && selector.select(onKey, ms) > 0) {
                idle.reset();
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        isAsleep.set(false);
        clock.update();
        if (inbox.drain(fanOut) > 0) {
            idle.reset();
        }
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
            if (!isTaken) { // it remains ready: without a pause this thread would do nothing else
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
                gateway.notAccepted(IoReason.of(e));
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
                gateway.worker(sessions.home(connection)).arrive(sessions.moving(connection));
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
        if (hasClosed) { // a thread that sees that they are gone also sees all their counts
            counts = sessions.counts(connections);
            sessions.reportGone();
        }
        fanOut.catchUp(nowNs);
    }

    /** Writes pending bytes of a consumer now, not at the end of the pass. */
    void flushEarly(final Connection connection) {
        if (!connection.isBlocked()) {
            connection.flush(io, clock.nowNs());
        }
    }

    private void onTimer() {
        for (final SelectionKey key : paused) { // handles may be free again
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
                connection.close(); // it does not read the rest
            }
        }
        counts = sessions.counts(connections);
    }

    @Override
    public boolean await(final ConsumerSession consumer, final long sinceNs) {
        clock.update();
        for (final Connection connection : connections) {
            if (!connection.isClosed() && connection.session().out().waiting() > 0) {
                connection.flush(io, clock.nowNs());
            }
        }
        watch.sleeps();
        clock.update();
        LockSupport.parkNanos(BLOCK_PARK_NS);
        watch.waited(clock.nowNs() + BLOCK_PARK_NS);
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

    GatewayCounts counts() {
        return counts;
    }

    /** Asks all sessions to log out; any thread. */
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
        counts = sessions.counts(connections);
        try {
            selector.close();
        } catch (final IOException e) {
            // no data is lost
        }
    }

    /** Message handling of the sessions of one worker. Its thread only. */
    private static final class WorkerSessions implements SessionHandler {
        private static final int FAN_OUT = 0;
        private static final int SYMBOL = 1;
        private static final int REQUEST = 2;

        private final GatewayState gateway;
        private final int number;
        private final FanOut fanOut;
        private final Worker worker;
        private final AwaySessions away;
        private final OutBuffer scratch;
        private final BodyScan scan = new BodyScan(StampTags.FAN_OUT, Tags.SYMBOL, Tags.MD_REQ_ID);
        private final FanOutMessage message = new FanOutMessage();
        private SessionClock clock;

        /** What producers sent, and all of the sessions that are gone. */
        private final GatewayCounts counted = GatewayCounts.COLUMNS.zero();

        private int producersGone;
        private int consumersGone;

        /** The gateway's data of a session. */
        private static final class Peer implements GatewayState.Waiting {
            private final boolean isProducersPort;
            private boolean isProducer;
            private boolean isAdmitted;

            /** Among the producers: an admitted Logon may still be refused. */
            private boolean isCounted;

            private ConsumerSession consumer;
            private Connection connection;
            private MessageStore store;

            /** The worker that the connection is to go to. */
            private int home;

            private boolean wasActive;
            private volatile boolean isCrowdedOut;

            @Override
            public void crowdOut() {
                isCrowdedOut = true;
            }

            Peer(final boolean isProducersPort) {
                this.isProducersPort = isProducersPort;
            }
        }

        WorkerSessions(
                final GatewayState gateway,
                final int number,
                final FanOut fanOut,
                final Worker worker,
                final AwaySessions away,
                final OutBuffer scratch) {
            this.away = away;
            this.scratch = scratch;
            this.gateway = gateway;
            this.number = number;
            this.fanOut = fanOut;
            this.worker = worker;
        }

        Connection open(final Worker.Arrival arrival, final SessionClock of) {
            clock = of;
            final Peer peer = new Peer(arrival.isProducersPort());
            final FixSession session = new FixSession(gateway.config(), null, scan, this, of);
            session.attach(peer);
            peer.connection = new Connection(arrival.link(), session);
            gateway.waits(peer);
            return peer.connection;
        }

        @Override
        public Admission admit(final FixSession session, final LogonRequest request) {
            if (!gateway.isKnown(request)) {
                return Admission.refused("Username or password is wrong");
            }
            final Peer peer = (Peer) session.attachment();
            final int home = gateway.stores().home(request.sender(), number);
            if (home != number) {
                peer.home = home;
                return Admission.elsewhere();
            }
            fanOut.deliver(); // earlier messages are kept for a consumer that was away
            away.settle(request.sender());
            final MessageStore store;
            try {
                store = gateway.stores().lend(request.sender(), number, clock.nowMs());
            } catch (final UserError e) { // the files of one session must not end all others
                gateway.neverLoggedOn(request.sender() + ", " + e.getMessage());
                return Admission.refused("The store of this session cannot be used");
            }
            if (store == null) {
                return Admission.refused(
                        ""); // logged on already: closed without a reply (test case 1S.c)
            }
            peer.isAdmitted = true;
            peer.isProducer = gateway.isProducer(peer.isProducersPort, request.sender());
            peer.store = store;
            return Admission.granted(store);
        }

        @Override
        public void onActive(final FixSession session) {
            final Peer peer = (Peer) session.attachment();
            peer.wasActive = true;
            gateway.stoppedWaiting(peer);
            away.remove(session.target());
            peer.store.keptFor(
                    !peer.isProducer && gateway.settings().subscriptions() == Subscriptions.ALL);
            if (peer.isProducer) {
                peer.isCounted = true;
                gateway.producerJoined();
                return;
            }
            peer.consumer =
                    new ConsumerSession(
                            peer.connection,
                            gateway.slow().of(session.target()),
                            worker::flushEarly,
                            scratch);
            if (gateway.settings().subscriptions() == Subscriptions.ALL) {
                peer.consumer.subscriptions().all();
            }
            fanOut.deliver(); // earlier messages are not for it
            fanOut.add(peer.consumer);
            gateway.consumerJoined();
        }

        @Override
        public Handled onMessage(final FixSession session, final InboundMessage inbound) {
            final Peer peer = (Peer) session.attachment();
            if (peer.isProducer) {
                onProduced(inbound);
                return Handled.TAKEN;
            }
            final boolean isRequest =
                    inbound.typeChar() == 'V'
                            && gateway.settings().subscriptions() == Subscriptions.SYMBOL;
            if (!isRequest) {
                return Handled.UNSUPPORTED;
            }
            if (session.state() != FixSession.State.ACTIVE) {
                return Handled.UNAVAILABLE; // the gateway is ending, it asked to log out
            }
            fanOut.deliver(); // a snapshot holds it already
            fanOut.requests().onRequest(peer.consumer, inbound);
            return Handled.TAKEN;
        }

        private void onProduced(final InboundMessage inbound) {
            counted.gatewayIn().increment();
            final int mark = scan.begin(FAN_OUT);
            final boolean isToFanOut =
                    gateway.settings().fanOut() == FanOutRule.ALL
                            || mark >= 0 && inbound.bytes()[mark] == 'Y';
            if (!isToFanOut) {
                counted.unmarked().increment();
                return;
            }
            final int begin = inbound.fieldsBegin();
            final int request = scan.begin(REQUEST);
            message.set(
                    inbound.bytes(),
                    begin,
                    inbound.fieldsEnd() - begin,
                    relative(scan.begin(SYMBOL), begin),
                    scan.length(SYMBOL),
                    relative(request, begin + "262=".length()),
                    scan.length(REQUEST) + "262=".length() + 1);
            message.type(inbound.bytes(), inbound.typeBegin(), inbound.typeLength());
            fanOut.gather(message);
            gateway.passToOtherWorkers(number, message);
        }

        private static int relative(final int at, final int begin) {
            return at < 0 ? -1 : at - begin;
        }

        @Override
        public void onRejectSent(
                final FixSession session, final InboundMessage inbound, final String reason) {
            counted.rejectsSent().increment();
            gateway.rejected(session.target(), inbound, reason);
        }

        @Override
        public void onEnd(final FixSession session, final String reason) {
            final Peer peer = (Peer) session.attachment();
            if (peer.consumer != null) {
                fanOut.remove();
            }
            if (peer.wasActive) {
                gateway.ended(session.target(), reason);
            } else {
                gateway.stoppedWaiting(peer);
                gateway.neverLoggedOn(
                        session.target().isEmpty() ? reason : session.target() + ", " + reason);
            }
        }

        /** Others have connected since, and there is no room for all of them. */
        boolean isCrowdedOut(final Connection connection) {
            return ((Peer) connection.session().attachment()).isCrowdedOut;
        }

        /** Target of a connection whose session has moved. */
        Worker.Arrival moving(final Connection connection) {
            gateway.stoppedWaiting((Peer) connection.session().attachment());
            return new Worker.Arrival(
                    connection.link(),
                    ((Peer) connection.session().attachment()).isProducersPort,
                    connection.handOver());
        }

        /** The target worker of a connection whose session has moved. */
        int home(final Connection connection) {
            return ((Peer) connection.session().attachment()).home;
        }

        /**
         * A connection is gone: its counts are kept, its name is free. To be reported with
         * reportGone().
         */
        void closed(final Connection connection) {
            final FixSession session = connection.session();
            final Peer peer = (Peer) session.attachment();
            add(counted, session, peer.consumer);
            if (peer.isAdmitted) {
                gateway.stores().giveBack(session.target());
            }
            if (peer.consumer != null) {
                consumersGone++;
            } else if (peer.isCounted) {
                producersGone++;
            }
        }

        /** Reports gone connections, once their counts are published. */
        void reportGone() {
            for (; consumersGone > 0; consumersGone--) {
                gateway.consumerLeft();
            }
            for (; producersGone > 0; producersGone--) {
                gateway.producerLeft();
            }
        }

        /** Adds what a session has counted. */
        private static void add(
                final GatewayCounts to, final FixSession session, final ConsumerSession consumer) {
            to.garbled().add(session.garbled());
            to.askedAgain().add(session.incoming().missed());
            if (consumer != null) {
                to.gatewayOut().add(session.sent());
                to.dropped().add(consumer.dropped());
                to.conflated().add(consumer.conflated());
                to.cutOff().add(consumer.isCut() ? 1 : 0);
                to.keptForAbsent().add(consumer.kept());
                to.keptNotFetched().add(consumer.kept() - session.fetched());
                to.notKeptForAbsent().add(consumer.forgotten());
            }
        }

        /** Counts of the sessions that are gone and of those with a connection, ended or not. */
        GatewayCounts counts(final List<Connection> connections) {
            final GatewayCounts sum = GatewayCounts.COLUMNS.sum(List.of(counted));
            sum.keptForAbsent().add(away.keptMessages());
            sum.keptNotFetched().add(away.keptMessages());
            sum.notKeptForAbsent().add(away.forgotten());
            for (final Connection connection : connections) {
                final FixSession session = connection.session();
                add(sum, session, ((Peer) session.attachment()).consumer);
            }
            return sum;
        }
    }
}
