package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.time.Pacer;
import io.tickmark.kernel.time.Schedule;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.workloads.fix.link.Connection;
import io.tickmark.workloads.fix.link.LinkFactory;
import io.tickmark.workloads.fix.message.FixTemplate;
import io.tickmark.workloads.fix.message.LoadMessage;
import io.tickmark.workloads.fix.message.LoadTags.Phase;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.SessionHandler;
import io.tickmark.workloads.fix.session.Tags;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;

/**
 * One thread's part of the producers: message k belongs to session k modulo their number, so that
 * sessions send one after the other on one fixed grid. Allocates nothing while it sends.
 */
final class ProducerLoop implements SessionHandler, AutoCloseable {
    private static final char BUSINESS_REJECT = 'j';

    private static final int LIMIT_BYTES = 1 << 17;
    private static final long WAIT_MS = 5;

    /** Sleeping threads wake this much late: the rest is spun. */
    private static final long SPIN_NS = 70_000;

    private static final long LONG_WAIT_NS = 2_000_000;

    /** Messages written at once to a session that is behind its schedule. */
    private static final int BATCH = 16;

    private static final long STALL_NS = 10_000_000_000L;

    /** What the gateway has not taken so long after its end is given up: it does not keep up. */
    private static final long GRACE_NS = 1_000_000_000L;

    /** Sockets are looked at once in so many sends that follow each other. */
    private static final int LOOK_EVERY = 63;

    private final ProducersSettings settings;
    private final LoopGroup group;
    private final RoleContext context;
    private final NanoClock clock;
    private final ClientSessions sessions;
    private final SessionNumbers numbers;
    private final int first;
    private final int count;
    private final IdleMode idle;
    private final LoadMessage[] messages;
    private final long[] fannedOut;
    private Pacer pacer = new Pacer(Schedules.asFastAsPossible());
    private Phase phase = Phase.WARM_UP;
    private long next;
    private volatile long sent;
    private boolean isFanOut;
    private boolean isDirty;
    private boolean isLoggingOut;
    private long refused;
    private long refusedSinceNs;
    private long firstNs;
    private long lastNs;
    private String failure = "";
    private long rejected;
    private String firstRejected = "";

    /** Serves sessions {@code first} to {@code first + count - 1}, numbered from 1. */
    ProducerLoop(
            final ProducersSettings settings,
            final LoopGroup group,
            final FixTemplate template,
            final int first,
            final int count,
            final IdleMode idle) {
        this.settings = settings;
        this.group = group;
        context = group.context();
        this.first = first;
        this.count = count;
        this.idle = idle;
        clock = context.clock();
        numbers = SessionNumbers.of(context);
        fannedOut = new long[count];
        messages = new LoadMessage[count];
        for (int i = 0; i < count; i++) {
            messages[i] =
                    new LoadMessage(
                            template,
                            numbers.of(first + i),
                            HostId.VALUE,
                            settings.symbolCount() > 0);
        }
        sessions =
                new ClientSessions(
                        context,
                        LinkFactory.client(settings.client().session()),
                        settings.client().session().maxMessageBytes());
    }

    void connect(final InetSocketAddress address) {
        for (int i = 0; i < count; i++) {
            final SessionConfig config =
                    settings.client()
                            .session()
                            .initiator(
                                    settings.client().session().producerPrefix()
                                            + numbers.of(first + i),
                                    settings.client().heartbeat(),
                                    LIMIT_BYTES);
            sessions.open(address, config, this);
        }
        sessions.awaitLogons(ClientSessions.text(address));
    }

    @Override
    public void onActive(final FixSession session) {
        // the role waits for all of them
    }

    @Override
    public Answer onMessage(final FixSession session, final InboundMessage message) {
        if (message.typeChar() == BUSINESS_REJECT) {
            onRejectReceived(session, message);
        }
        return Answer.TAKEN; // a gateway may send what it likes to a producer
    }

    @Override
    public void onRejectReceived(final FixSession session, final InboundMessage reject) {
        if (rejected++ == 0) {
            final String field = reject.text(Tags.REF_TAG_ID);
            final String text = reject.text(Tags.TEXT);
            firstRejected =
                    "number %s%s: %s"
                            .formatted(
                                    reject.text(Tags.REF_SEQ_NUM),
                                    field == null ? "" : ", field " + field,
                                    text == null ? "it does not say why" : text);
        }
    }

    @Override
    public void onEnd(final FixSession session, final String reason) {
        final boolean isOurEnd =
                reason.isEmpty() && (isLoggingOut || context.isStopped())
                        // stopped while the gateway made us wait: not even the Logout has room
                        || reason.equals(FixSession.UNREAD) && context.isStopped();
        if (failure.isEmpty() && !isOurEnd) {
            failure =
                    "a producer's session ended: %s."
                            .formatted(reason.isEmpty() ? "the gateway logged it out" : reason);
        }
    }

    /** A part of the run: so many messages of each session, none that is wanted after its end. */
    void send(final Phase part, final long startNs, final long perSession, final long endNs) {
        begin(part, startNs);
        final long limit = perSession == Long.MAX_VALUE ? perSession : perSession * count;
        int looks = 0;
        final long graceNs = part == Phase.WARM_UP ? 0 : GRACE_NS;
        long nowNs = startNs;
        while (next < limit
                && pacer.intendedNs() - endNs < 0
                && nowNs - endNs <= graceNs
                && isGoingOn()) {
            nowNs = clock.nanoTime();
            if (pacer.isDue(nowNs)) {
                send(nowNs);
                if ((looks++ & LOOK_EVERY) == 0) {
                    sessions.pass(0);
                }
            } else {
                flush();
                await(nowNs);
            }
        }
        flush();
    }

    private void begin(final Phase part, final long startNs) {
        phase = part;
        next = 0;
        refused = 0;
        refusedSinceNs = 0;
        firstNs = startNs;
        lastNs = startNs;
        java.util.Arrays.fill(fannedOut, 0);
        pacer = new Pacer(schedule());
        pacer.start(startNs + offsetNs());
        prepare();
    }

    private boolean isGoingOn() {
        if (refusedSinceNs != 0 && clock.nanoTime() - refusedSinceNs >= STALL_NS) {
            failure = "the gateway took nothing for " + STALL_NS / 1_000_000_000 + " s.";
        }
        return failure.isEmpty() && !group.isOver();
    }

    private Schedule schedule() {
        if (settings.rate() == 0) {
            return Schedules.asFastAsPossible();
        }
        return settings.burst()
                ? new BurstSchedule(settings.rate(), count)
                : Schedules.fixedRate(settings.rate() * count);
    }

    /** The grids of threads and of processes stand between each other. */
    private long offsetNs() {
        if (settings.rate() == 0 || settings.burst()) {
            return 0;
        }
        final double intervalNs = 1e9 / (settings.rate() * settings.producers());
        return (long) (intervalNs * (first - 1) / count + numbers.partOf(intervalNs));
    }

    /** Ahead of its time, so that only the time of the send is left to be written. */
    private void prepare() {
        final int session = (int) (next % count);
        final long number = next / count;
        final long shift =
                settings.burst()
                        ? 0
                        : first + session - 1L + (long) numbers.partOf(settings.markedEvery());
        final boolean fansOut = (number + shift) % settings.markedEvery() == 0;
        messages[session].prepare(phase, number, fansOut, fannedOut[session], pacer.intendedNs());
        if (settings.symbolCount() > 0) {
            messages[session].symbol((int) (next % settings.symbolCount()));
        }
        isFanOut = fansOut;
    }

    private void send(final long nowNs) {
        final int session = (int) (next % count);
        final Connection connection = sessions.connection(session);
        final LoadMessage message = messages[session];
        sessions.clock().update();
        message.stampSent(nowNs);
        if (!connection.session().send(message.type(), null, message.body())) {
            onRefused(connection, nowNs);
            return;
        }
        refusedSinceNs = 0;
        isDirty = true;
        fannedOut[session] += isFanOut ? 1 : 0;
        lastNs = nowNs;
        next++;
        if (phase == Phase.MEASURED) {
            sent = next;
        }
        pacer.sent(nowNs);
        prepare();
        if (settings.rate() == 0
                ? connection.session().out().waiting() >= BATCH * message.body().length()
                : !pacer.isDue(nowNs)) {
            connection.flush(sessions.io(), nowNs);
        }
    }

    private void onRefused(final Connection connection, final long nowNs) {
        refused++;
        refusedSinceNs = refusedSinceNs == 0 ? nowNs : refusedSinceNs;
        connection.flush(sessions.io(), nowNs);
        if (connection.isBlocked()) {
            sessions.pass(1);
        }
    }

    private void flush() {
        if (!isDirty) {
            return;
        }
        isDirty = false;
        for (int i = 0; i < count; i++) {
            final Connection connection = sessions.connection(i);
            if (connection.session().out().waiting() > 0 && !connection.isBlocked()) {
                connection.flush(sessions.io(), clock.nanoTime());
            }
        }
    }

    private void await(final long nowNs) {
        final long waitNs = pacer.intendedNs() - nowNs;
        if (idle == IdleMode.SPIN) {
            Thread.onSpinWait();
        } else if (waitNs <= SPIN_NS) {
            Thread.yield(); // whoever wants the core meanwhile shall have it
        } else if (waitNs > LONG_WAIT_NS) {
            sessions.pass(1);
        } else {
            sessions.pass(0);
            LockSupport.parkNanos(pacer.intendedNs() - clock.nanoTime() - SPIN_NS);
        }
    }

    /** Serves the sessions without sending. */
    void serve(final long untilNs) {
        while (clock.nanoTime() - untilNs < 0 && !group.isOver() && failure.isEmpty()) {
            sessions.pass(WAIT_MS);
        }
    }

    /**
     * Tells consumers how many messages were to reach them; a failure where that takes too long.
     */
    void tellEnd() {
        final long untilNs = clock.nanoTime() + STALL_NS;
        for (int i = 0; i < count && failure.isEmpty(); i++) {
            tellEnd(i, untilNs);
        }
    }

    private void tellEnd(final int session, final long untilNs) {
        final Connection connection = sessions.connection(session);
        final LoadMessage message = messages[session];
        final long nowNs = clock.nanoTime();
        sessions.clock().update();
        message.prepare(Phase.END, 0, true, fannedOut[session], nowNs);
        message.stampSent(nowNs);
        while (failure.isEmpty()
                && !connection.session().send(message.type(), null, message.body())
                && !group.isOver()) {
            if (clock.nanoTime() - untilNs >= 0) {
                failure =
                        "the gateway did not take the producers' last words within %d s."
                                .formatted(STALL_NS / 1_000_000_000);
            }
            connection.flush(sessions.io(), clock.nanoTime());
            sessions.pass(1);
        }
        connection.flush(sessions.io(), clock.nanoTime());
    }

    void logOut() {
        isLoggingOut = true;
        sessions.logOut(0);
    }

    /** Messages sent, warm-up apart; any thread. */
    long sent() {
        return sent;
    }

    long refused() {
        return refused;
    }

    long fannedOut() {
        return java.util.Arrays.stream(fannedOut).sum();
    }

    long durationNs() {
        return lastNs - firstNs;
    }

    Pacer pacer() {
        return pacer;
    }

    /** Why it could not go on, empty while it can. */
    String failure() {
        return failure;
    }

    /** Messages that the gateway rejected, those of warm-up and end included. */
    long rejected() {
        return rejected;
    }

    /** The first of them and why, empty while there is none. */
    String firstRejected() {
        return firstRejected;
    }

    @Override
    public void close() {
        sessions.close();
    }

    /** One message of each session at the same moment, on the fixed grid of a session's rate. */
    private static final class BurstSchedule implements Schedule {
        private final Schedule grid;
        private final int sessions;
        private int left;
        private long intendedNs;

        BurstSchedule(final double ratePerSession, final int sessions) {
            grid = Schedules.fixedRate(ratePerSession);
            this.sessions = sessions;
        }

        @Override
        public void start(final long startNs) {
            grid.start(startNs);
            left = 0;
        }

        @Override
        public long nextNs(final long nowNs) {
            if (left == 0) {
                left = sessions;
                intendedNs = grid.nextNs(nowNs);
            }
            left--;
            return intendedNs;
        }

        @Override
        public double ratePerSecond() {
            return grid.ratePerSecond() * sessions;
        }
    }
}
