package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.Waker;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.time.Pacer;
import io.tickmark.kernel.time.Schedule;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.workloads.fix.client.ClientOptions.SessionNumbers;
import io.tickmark.workloads.fix.link.Connection;
import io.tickmark.workloads.fix.link.LinkFactory;
import io.tickmark.workloads.fix.message.FixTemplate;
import io.tickmark.workloads.fix.message.StampTags.Phase;
import io.tickmark.workloads.fix.message.StampedMessage;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.SessionHandler;
import io.tickmark.workloads.fix.session.Tags;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;

/** Producers: warm up, send, report how many messages there were, log out. */
public final class Producers implements Role {
    private static final long SETTLE_NS = 300_000_000;

    /** The measurement enters the loop anew, so the warm-up does that often, too. */
    private static final int MOST_WARM_UP_PARTS = 10;

    /** The identity in a message has five digits for its producer. */
    private static final int MOST_PRODUCERS = 99_999;

    /** A count that is out of reach ends after three times its time: the rate was not held. */
    private static final double PATIENCE = 3;

    private static final double LONGEST_NS = 1e17;

    /** Endpoint with a number that consumers need before the start, not an address. */
    private static final String SCHEDULED = "fixScheduledMessages";

    /** How long the producers warm up, for consumers and gateways; not available by hand. */
    private static final String WARM_UP = "fixWarmUpNs";

    private final ProducersSettings settings;
    private final RoleContext context;
    private final LoopGroup group;
    private final List<ProducerLoop> loops = new ArrayList<>();
    private final ProgressLines progress;
    private final Counter counter;

    Producers(
            final ProducersSettings settings,
            final RoleContext context,
            final FixTemplate template) {
        this.settings = settings;
        this.context = context;
        if (SessionNumbers.of(context).of(settings.producers()) > MOST_PRODUCERS) {
            throw UserError.usage(
                    "--producers %d: for %d processes that makes more than %d producers, the most there can be; give fewer."
                            .formatted(settings.producers(), context.count(), MOST_PRODUCERS));
        }
        group =
                new LoopGroup(
                        context,
                        "producer thread",
                        Factory.threads(settings),
                        StallWatch.Part.SEND);
        counter = context.recording().counter(Counts.SENT);
        progress = new ProgressLines(0, this::sent, count -> {}, counter);
        for (final ClientOptions.Part part : settings.client().parts(settings.producers())) {
            loops.add(new ProducerLoop(settings, group, template, part));
        }
    }

    private long sent() {
        return loops.stream().mapToLong(ProducerLoop::sentSoFar).sum();
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.of(
                Map.of(
                        SCHEDULED,
                        Long.toString(scheduled()),
                        WARM_UP,
                        Long.toString(settings.warmUp().toNanos())));
    }

    /** 0 where there is no schedule: then a latency is only the length of a queue. */
    private long scheduled() {
        final double each =
                settings.duration().isZero()
                        ? settings.messages()
                        : settings.rate() * settings.duration().toNanos() / 1e9;
        return settings.rate() == 0
                ? 0
                : (long) Math.min(LONGEST_NS, each * settings.producers() / settings.markedEvery());
    }

    /**
     * How many messages each consumer will be sent by a schedule.
     *
     * @param endpoints as a consumer received them
     * @return 0 where there is none, or several roles send
     */
    static long scheduled(final Endpoints endpoints) {
        final List<String> scheduled = endpoints.named(SCHEDULED);
        return scheduled.size() == 1 ? Long.parseLong(scheduled.getFirst()) : 0;
    }

    /**
     * Whether producers are roles of the same plan.
     *
     * @param endpoints as a consumer received them
     * @return false where all are started by hand, or are not ours
     */
    static boolean areIn(final Endpoints endpoints) {
        return !endpoints.named(SCHEDULED).isEmpty();
    }

    /**
     * How long all producers will have warmed up after the start.
     *
     * @param endpoints as a consumer received them
     * @return ns; 0 where it is unknown
     */
    static long warmUpNs(final Endpoints endpoints) {
        return endpoints.named(WARM_UP).stream().mapToLong(Long::parseLong).max().orElse(0);
    }

    /**
     * How long after the start the first measured message of any producer is due, so that a gateway
     * can tell it from the warm-up.
     *
     * @param endpoints as a gateway received them
     * @return ns; 0 where it is unknown
     */
    public static long measuredAfterNs(final Endpoints endpoints) {
        return endpoints.named(WARM_UP).stream()
                .mapToLong(warmUpNs -> measuredAfterNs(Long.parseLong(warmUpNs)))
                .min()
                .orElse(0);
    }

    private static long measuredAfterNs(final long warmUpNs) {
        return warmUpNs == 0 ? 0 : warmUpNs + SETTLE_NS;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final InetSocketAddress address =
                settings.client().address(endpoints, "fixProducers", settings.producersPort());
        loops.forEach(loop -> loop.connect(address));
        context.log(
                settings.producers()
                        + " producers are logged on at "
                        + ClientSessions.text(address)
                        + ".");
    }

    @Override
    public RoleResult run(final long startAtNs) {
        final long startNs = startAtNs + measuredAfterNs(settings.warmUp().toNanos());
        final long endNs = endNs(startNs);
        progress.start();
        group.run(
                loops.stream()
                        .<Runnable>map(loop -> () -> play(loop, startAtNs, startNs, endNs))
                        .toList());
        progress.stop();
        context.recording().endStep();
        return new RoleResult(List.of(step()), metrics(), List.of(), failure());
    }

    private void play(
            final ProducerLoop loop, final long startAtNs, final long startNs, final long endNs) {
        loop.serve(startAtNs);
        context.began();
        if (startNs != startAtNs) {
            final int parts = warmUpParts();
            final long partNs = (startNs - SETTLE_NS - startAtNs) / parts;
            for (int part = 0; part < parts; part++) {
                final long beginNs = startAtNs + part * partNs;
                loop.send(Phase.WARM_UP, beginNs, Long.MAX_VALUE, beginNs + partNs);
            }
            loop.serve(startNs);
        }
        if (loop == loops.getFirst()) { // on the role's own thread; the time line has no warm-up
            context.recording().beginStep(0, "fan-out");
        }
        loop.send(
                Phase.MEASURED,
                startNs,
                settings.duration().isZero() ? settings.messages() : Long.MAX_VALUE,
                endNs);
        if (loop.failure().isEmpty()) {
            loop.announceEnd();
        }
        loop.serve(context.clock().nanoTime() + settings.linger().toNanos());
        loop.logOut();
    }

    /**
     * Each begins at the first message again: so few that all sessions send marked ones in each.
     */
    private int warmUpParts() {
        final double marked =
                settings.warmUp().toNanos() / 1e9 * settings.rate() / settings.markedEvery();
        return settings.rate() == 0
                ? MOST_WARM_UP_PARTS
                : (int) Math.clamp(marked, 1.0, MOST_WARM_UP_PARTS);
    }

    private long endNs(final long startNs) {
        if (!settings.duration().isZero()) {
            return startNs + settings.duration().toNanos();
        }
        return settings.rate() == 0
                ? startNs + Long.MAX_VALUE / 4
                : startNs
                        + 1_000_000_000L
                        + (long)
                                Math.min(
                                        LONGEST_NS,
                                        PATIENCE * 1e9 * settings.messages() / settings.rate());
    }

    private StepResult step() {
        final ProducerCounts all =
                ProducerCounts.COLUMNS.sum(loops.stream().map(ProducerLoop::counts).toList());
        final long rejected = all.rejected().get();
        return new StepResult(
                0,
                "",
                0,
                ProducerCounts.COLUMNS.counts(all, Set.of()),
                all.durationNs().get(),
                settings.rate() * settings.producers(),
                loops.stream().mapToDouble(ProducerLoop::achievedRatePerSecond).sum(),
                Map.of(),
                rejected == 0 ? List.of() : List.of(rejection(rejected)));
    }

    private String rejection(final long rejected) {
        return "The gateway rejected %s (%s%s)."
                .formatted(
                        Plural.of(rejected, "message"),
                        rejected == 1 ? "" : "the first is ",
                        loops.stream()
                                .map(ProducerLoop::firstRejected)
                                .filter(first -> !first.isEmpty())
                                .findFirst()
                                .orElseThrow());
    }

    private Map<String, Object> metrics() {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("producers", settings.producers());
        metrics.put("every", settings.markedEvery());
        metrics.put(
                "pace",
                settings.rate() == 0
                        ? "as-fast-as-possible"
                        : settings.burst()
                                ? "all sessions at once"
                                : "one session after the other");
        return metrics;
    }

    private String failure() {
        return Stream.concat(Stream.of(group.failure()), loops.stream().map(ProducerLoop::failure))
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        progress.stop();
        loops.forEach(ProducerLoop::close);
    }

    /** Creates producers. */
    public static final class Factory extends RoleFactory.Declared<ProducersSettings> {
        private static final double UNPACED_RATE = 100_000;

        /** For the service loader. */
        public Factory() {
            super(
                    "fix-producers",
                    "Sends FIX messages at a rate on many sessions.",
                    ProducersSettings.class);
        }

        static List<HotThread> threads(final ProducersSettings settings) {
            return settings.client().hotThreads("producers", settings.producers());
        }

        @Override
        public List<HotThread> hotThreads(
                final ProducersSettings settings, final int index, final int count) {
            return threads(settings);
        }

        @Override
        public long expectedDurationNs(final ProducersSettings settings) {
            final double rate = settings.rate() > 0 ? settings.rate() : UNPACED_RATE;
            final double sendNs =
                    settings.duration().isZero()
                            ? settings.messages() / rate * 1e9
                            : settings.duration().toNanos();
            return (long) sendNs
                    + settings.warmUp().toNanos()
                    + settings.linger().toNanos()
                    + 1_000_000_000;
        }

        @Override
        public void check(final ProducersSettings settings) {
            FixTemplate.read(settings.message());
        }

        @Override
        public Role create(final ProducersSettings settings, final RoleContext context) {
            return new Producers(settings, context, FixTemplate.read(settings.message()));
        }
    }

    /**
     * One thread's part of the producers: message k belongs to session k modulo their number, so
     * that sessions send one after the other on one fixed grid. Allocates nothing while it sends.
     */
    private static final class ProducerLoop implements SessionHandler, AutoCloseable {
        private static final char BUSINESS_REJECT = 'j';

        private static final int LIMIT_BYTES = 1 << 17;
        private static final long WAIT_MS = 5;

        /** A selector counts in ms and may be late: for what is due sooner a thread parks. */
        private static final long LONG_WAIT_NS = 2_000_000;

        /** A selector would be too coarse for a pause between two sends. */
        private static final Waker PAUSE =
                new Waker() {
                    /** Sleeping threads wake this much late. */
                    private static final long LATE_NS = 70_000;

                    @Override
                    public void await(final long timeoutNs) {
                        if (timeoutNs > LATE_NS) {
                            LockSupport.parkNanos(timeoutNs - LATE_NS);
                        } else {
                            Thread.yield(); // leaves the core to others meanwhile
                        }
                    }

                    @Override
                    public boolean wakesOnArrival() {
                        return false;
                    }
                };

        /** Messages written at once to a session that is behind its schedule. */
        private static final int BATCH = 16;

        private static final long STALL_NS = 10_000_000_000L;

        /**
         * Messages that the gateway has not accepted this long after their end are given up: it
         * does not keep up.
         */
        private static final long GRACE_NS = 1_000_000_000L;

        /** Sockets are polled once in this many consecutive sends. */
        private static final int LOOK_EVERY = 63;

        private final ProducersSettings settings;
        private final LoopGroup group;
        private final RoleContext context;
        private final NanoClock clock;
        private final ClientSessions sessions;
        private final SessionNumbers numbers;
        private final int first;
        private final int count;
        private final Idle idle;
        private final StallWatch watch;
        private final StampedMessage[] messages;
        private final long[] fannedOut;
        private final ProducerCounts counts = ProducerCounts.COLUMNS.zero();

        /** Those of the warm-up are counted as well, where nobody reads it. */
        private final Counter unshown = ProducerCounts.COLUMNS.zero().sent();

        private Counter shown = unshown;
        private Pacer pacer = new Pacer(Schedules.asFastAsPossible());
        private Phase phase = Phase.WARM_UP;
        private long next;
        private boolean isFanOut;
        private boolean isDirty;
        private boolean isLoggingOut;
        private long refusedSinceNs;
        private long firstNs;
        private long lastNs;
        private long endedNs;
        private String failure = "";
        private String firstRejected = "";

        ProducerLoop(
                final ProducersSettings settings,
                final LoopGroup group,
                final FixTemplate template,
                final ClientOptions.Part part) {
            this.settings = settings;
            this.group = group;
            context = group.context();
            first = part.first();
            count = part.count();
            idle = group.idle(part.thread());
            watch = group.watch(part.thread());
            clock = context.clock();
            numbers = SessionNumbers.of(context);
            fannedOut = new long[count];
            messages = new StampedMessage[count];
            for (int i = 0; i < count; i++) {
                messages[i] =
                        new StampedMessage(
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
        public Handled onMessage(final FixSession session, final InboundMessage message) {
            if (message.typeChar() == BUSINESS_REJECT) {
                onRejectReceived(session, message);
            }
            return Handled.TAKEN; // a gateway may send anything to a producer
        }

        @Override
        public void onRejectReceived(final FixSession session, final InboundMessage reject) {
            counts.rejected().increment();
            if (counts.rejected().get() == 1) {
                final String field = reject.text(Tags.REF_TAG_ID);
                final String text = reject.text(Tags.TEXT);
                firstRejected =
                        "number %s%s: %s"
                                .formatted(
                                        reject.text(Tags.REF_SEQ_NUM),
                                        field == null ? "" : ", field " + field,
                                        text == null ? "no reason given" : text);
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
                        "A producer's session ended: %s."
                                .formatted(reason.isEmpty() ? "the gateway logged it out" : reason);
            }
        }

        /**
         * A part of the run: a number of messages of each session, none that is due after its end.
         */
        void send(final Phase part, final long startNs, final long perSession, final long endNs) {
            begin(part, startNs);
            final long limit = perSession == Long.MAX_VALUE ? perSession : perSession * count;
            int looks = 0;
            final long graceNs = part == Phase.WARM_UP ? 0 : GRACE_NS;
            long nowNs = startNs;
            watch.restart();
            while (next < limit
                    && pacer.intendedNs() - endNs < 0
                    && nowNs - endNs <= graceNs
                    && isGoingOn()) {
                nowNs = clock.nanoTime();
                watch.look(nowNs);
                watch.worked(); // sends are not stalls
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
            endedNs = nowNs;
            flush();
        }

        private void begin(final Phase part, final long startNs) {
            if (part != phase) { // the parts of a warm-up are numbered on
                java.util.Arrays.fill(fannedOut, 0);
            }
            phase = part;
            shown = part == Phase.MEASURED ? counts.sent() : unshown;
            next = 0;
            counts.refused().set(0);
            refusedSinceNs = 0;
            firstNs = startNs;
            lastNs = startNs;
            pacer = new Pacer(schedule());
            pacer.start(startNs + offsetNs());
            prepare();
        }

        private boolean isGoingOn() {
            if (refusedSinceNs != 0 && clock.nanoTime() - refusedSinceNs >= STALL_NS) {
                failure = "The gateway accepted nothing for " + STALL_NS / 1_000_000_000 + " s.";
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

        /** The grids of threads and of processes are interleaved. */
        private long offsetNs() {
            if (settings.rate() == 0 || settings.burst()) {
                return 0;
            }
            final double intervalNs = 1e9 / (settings.rate() * settings.producers());
            return (long) (intervalNs * (first - 1) / count + numbers.partOf(intervalNs));
        }

        /**
         * Prepares the next message ahead of time, so that only the send time remains to be
         * written.
         */
        private void prepare() {
            final int session = (int) (next % count);
            final long number = next / count;
            final long shift =
                    settings.burst()
                            ? 0
                            : first + session - 1L + (long) numbers.partOf(settings.markedEvery());
            final boolean fansOut = (number + shift) % settings.markedEvery() == 0;
            messages[session].prepare(
                    phase, number, fansOut, fannedOut[session], pacer.intendedNs());
            if (settings.symbolCount() > 0) {
                messages[session].symbol((int) (next % settings.symbolCount()));
            }
            isFanOut = fansOut;
        }

        private void send(final long nowNs) {
            final int session = (int) (next % count);
            final Connection connection = sessions.connection(session);
            final StampedMessage message = messages[session];
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
            shown.set(next);
            pacer.sent(nowNs);
            prepare();
            if (settings.rate() == 0
                    ? connection.session().out().waiting() >= BATCH * message.body().length()
                    : !pacer.isDue(nowNs)) {
                connection.flush(sessions.io(), nowNs);
            }
        }

        private void onRefused(final Connection connection, final long nowNs) {
            counts.refused().increment();
            refusedSinceNs = refusedSinceNs == 0 ? nowNs : refusedSinceNs;
            connection.flush(sessions.io(), nowNs);
            if (connection.isBlocked()) {
                sleep();
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
            long waitNs = pacer.intendedNs() - nowNs;
            if (idle.mode().sleeps()) { // the others read their sockets between sends
                if (waitNs > LONG_WAIT_NS) {
                    sleep();
                    return;
                }
                sessions.pass(0);
                waitNs = pacer.intendedNs() - clock.nanoTime();
            }
            idle.awaitDue(PAUSE, waitNs);
        }

        private void sleep() {
            watch.sleeps();
            sessions.pass(1);
            watch.waited(StallWatch.NOT_TIMED);
        }

        /** Serves the sessions without sending. */
        void serve(final long untilNs) {
            while (clock.nanoTime() - untilNs < 0 && !group.isOver() && failure.isEmpty()) {
                sessions.pass(WAIT_MS);
            }
        }

        /**
         * Reports to consumers how many messages they should receive; a failure where that takes
         * too long.
         */
        void announceEnd() {
            final long untilNs = clock.nanoTime() + STALL_NS;
            for (int i = 0; i < count && failure.isEmpty(); i++) {
                announceEnd(i, untilNs);
            }
        }

        private void announceEnd(final int session, final long untilNs) {
            final Connection connection = sessions.connection(session);
            final StampedMessage message = messages[session];
            final long nowNs = clock.nanoTime();
            sessions.clock().update();
            message.prepare(Phase.END, 0, true, fannedOut[session], nowNs);
            message.stampSent(nowNs);
            while (failure.isEmpty()
                    && !connection.session().send(message.type(), null, message.body())
                    && !group.isOver()) {
                if (clock.nanoTime() - untilNs >= 0) {
                    failure =
                            "The gateway did not accept the producers' last messages within %d s."
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

        /** Any thread. */
        long sentSoFar() {
            return counts.sent().get();
        }

        /**
         * What this thread held of the rate: a message that was due and that the gateway did not
         * take makes it late. Complete after the last message.
         */
        double achievedRatePerSecond() {
            return pacer.achievedRatePerSecond(endedNs);
        }

        /** Complete after the last message. */
        ProducerCounts counts() {
            counts.fannedOut().set(java.util.Arrays.stream(fannedOut).sum());
            counts.maxTightSends().set(pacer.maxTightSends());
            counts.maxLagNs().set(pacer.maxLagNs());
            counts.durationNs().set(lastNs - firstNs);
            return counts;
        }

        /** Why it could not go on, empty while it can. */
        String failure() {
            return failure;
        }

        /**
         * The first message that the gateway rejected, with the reason; empty while there is none.
         */
        String firstRejected() {
            return firstRejected;
        }

        @Override
        public void close() {
            sessions.close();
        }

        /**
         * One message of each session at the same moment, on the fixed grid of a session's rate.
         */
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

    /**
     * The counts of one thread of producers, and where they are shown; without the warm-up.
     *
     * @param sent messages sent
     * @param fannedOut of these, those that were marked to fan out
     * @param maxTightSends most messages in a row without waiting for the schedule
     * @param maxLagNs longest delay of a message behind its intended time
     * @param refused how often the gateway left no room for a message
     * @param rejected messages that the gateway rejected (35=3 or 35=j), including those of warm-up
     *     and end
     * @param durationNs from the start to the last message
     */
    record ProducerCounts(
            @Column(count = Counts.SENT) Counter sent,
            @Column(count = Counts.FANNED_OUT) Counter fannedOut,
            @Column(count = Counts.MAX_TIGHT_SENDS, isLargest = true) Counter maxTightSends,
            @Column(count = Counts.MAX_LAG_NS, isLargest = true) Counter maxLagNs,
            @Column(count = Counts.BACK_PRESSURED) Counter refused,
            @Column(count = "rejectsReceived") Counter rejected,
            @Column(isLargest = true) Counter durationNs) {
        static final Columns<ProducerCounts> COLUMNS = Columns.of(ProducerCounts.class);
    }

    /**
     * Settings of the producers.
     *
     * @param client settings shared with consumers
     * @param producersPort of the gateway
     * @param producers how many sessions
     * @param messages of each session
     * @param duration in place of a number of messages
     * @param rate of each session
     * @param every which messages are marked to fan out
     * @param burst whether all sessions send at the same moment
     * @param warmUp how long to send before the measurement
     * @param message file with the message
     * @param symbolCount symbols that the messages use in turn
     * @param linger how long sessions stay after the last message
     */
    public record ProducersSettings(
            ClientOptions client,
            @Setting(
                            help = "Port of the gateway.",
                            byDefault = "3000",
                            min = 0,
                            max = 65535,
                            aliases = {"--port"})
                    int producersPort,
            @Setting(help = "Sessions.", byDefault = "1", min = 1, max = 10_000) int producers,
            @Setting(help = "Messages of each session.", byDefault = "1000", min = 1, max = 1e12)
                    long messages,
            @Setting(
                            help = "How long to send, instead of --messages; 0 for none.",
                            byDefault = "0",
                            max = 86_400e9)
                    Duration duration,
            @Setting(
                            help =
                                    "Messages per second of each session, on a fixed grid; 0: as fast as possible.",
                            byDefault = "100",
                            unit = "msg/s",
                            min = 0,
                            max = 1e9)
                    double rate,
            @Setting(
                            help =
                                    "Every Nth message of a session is marked to fan out; 0: as many as there are sessions.",
                            byDefault = "0",
                            min = 0,
                            max = 1e9)
                    long every,
            @Setting(help = "All sessions send at the same moment, instead of one after the other.")
                    boolean burst,
            @Setting(
                            help = "How long to send before the measurement, at the same rate.",
                            byDefault = "0",
                            max = 600e9)
                    Duration warmUp,
            @Setting(
                            help =
                                    "Text file with the message to send, SOH or | between its fields; header and trailer are "
                                            + "rebuilt (default: a market data snapshot, 35=W).",
                            label = "FILE")
                    String message,
            @Setting(
                            help = "Symbols that the messages use in turn; 0: the message's own.",
                            byDefault = "0",
                            min = 0,
                            max = 1_000_000)
                    int symbolCount,
            @Setting(
                            help = "How long sessions stay logged on after the last message.",
                            byDefault = "200ms",
                            max = 600e9)
                    Duration linger) {

        /**
         * Which messages fan out.
         *
         * @return n, where every n-th message fans out
         */
        long markedEvery() {
            return every == 0 ? producers : every;
        }
    }
}
