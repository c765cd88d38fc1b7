package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.StepRecording;
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
import io.tickmark.workloads.fix.client.ClientOptions.SessionNumbers;
import io.tickmark.workloads.fix.client.ProducerSequences.Unended;
import io.tickmark.workloads.fix.client.Received.ReceivedCounts;
import io.tickmark.workloads.fix.link.LinkFactory;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.Tags;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Consumers: each thread has its own sessions and recorders; the first is the role's own. */
public final class Consumers implements Role {
    private final ConsumersSettings settings;
    private final RoleContext context;
    private final List<ConsumerLoop> loops = new ArrayList<>();
    private final Counter counter;
    private final ProgressLines progress;
    private long warmUpNs;
    private boolean hasStepBegun;

    /** What producers sent is then known from them. */
    private boolean areProducersInPlan;

    private final LoopGroup group;

    Consumers(final ConsumersSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        group =
                new LoopGroup(
                        context,
                        "consumer thread",
                        Factory.threads(settings),
                        StallWatch.Part.RECEIVE);
        counter = context.recording().counter(Counts.RECEIVED);
        progress =
                new ProgressLines(
                        settings.progressEvery(),
                        this::received,
                        count -> context.log("Received " + count + " messages."),
                        counter);
        final AtomicInteger reading = new AtomicInteger();
        for (final ClientOptions.Part part : settings.client().parts(settings.consumers())) {
            final Received received =
                    new Received(
                            context,
                            part.thread(),
                            part.count(),
                            ReceivedCounts.COLUMNS.zero(),
                            this::beginStep);
            loops.add(new ConsumerLoop(settings, group, received, part, reading));
        }
    }

    /** By each thread before its first measured message; only the first call counts. */
    private synchronized void beginStep() {
        if (!hasStepBegun) {
            hasStepBegun = true;
            context.recording().beginStep(0, "fan-out");
        }
    }

    private long received() {
        return loops.stream().mapToLong(ConsumerLoop::receivedSoFar).sum();
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final InetSocketAddress address =
                settings.client().address(endpoints, "fixConsumers", settings.consumersPort());
        loops.forEach(loop -> loop.connect(address));
        warmUpNs = Producers.warmUpNs(endpoints);
        areProducersInPlan = Producers.areIn(endpoints);
        final long scheduled = Producers.scheduled(endpoints);
        if (scheduled > 0 && loops.size() == 1) { // of several, which one delays a message differs
            final ConsumerLoop loop = loops.getFirst();
            loop.received()
                    .logTo(context.recording().stalls().sample(0, scheduled * loop.counted()));
        }
        context.log(
                settings.consumers()
                        + " consumers are logged on at "
                        + ClientSessions.text(address)
                        + ".");
    }

    @Override
    public RoleResult run(final long startAtNs) {
        progress.start();
        loops.forEach(loop -> loop.received().warmsUpUntil(startAtNs + warmUpNs));
        group.run(loops.stream().<Runnable>map(loop -> loop::run).toList());
        progress.stop();
        counter.set(received());
        final ReceivedCounts all =
                ReceivedCounts.COLUMNS.sum(loops.stream().map(ConsumerLoop::counts).toList());
        final List<String> warnings = new ArrayList<>();
        final List<StepResult> steps = new ArrayList<>();
        if (all.received().get() > 0 || expected() > 0) {
            steps.add(step(all, warnings));
        }
        if (isUnknownOnPurpose() && !unknown().isEmpty()) {
            warnings.add(unknown());
        }
        return new RoleResult(steps, metrics(all), warnings, failure(all));
    }

    private StepResult step(final ReceivedCounts all, final List<String> warnings) {
        final StepRecording recorded = context.recording().endStep();
        final Map<String, Long> counts = ReceivedCounts.COLUMNS.counts(all, Set.of());
        counts.put(Counts.EXPECTED, expected());
        if (settings.symbols().isEmpty()) {
            counts.put(Counts.FULL_RECEIVERS, sum(ConsumerLoop::counted));
        }
        counts.putAll(recorded.counts());
        if (loops.stream().anyMatch(loop -> loop.received().isForeignHost())) {
            warnings.add("One-way times were not measured: producers are on another host.");
        }
        return StepResult.received(
                0,
                "",
                (int) all.messageBytes().get(),
                counts,
                all.durationNs().get(),
                LoopCounts.joined(recorded.latencies()));
    }

    /**
     * Each session should have received every message that any of them knows to have been sent.
     * Producers do not report how many messages a symbol had: then messages missing in the sessions
     * count as lost.
     */
    private long expected() {
        return settings.symbols().isEmpty()
                ? ProducerSequences.total(
                                loops.stream().flatMap(loop -> loop.received().numbers()).toList())
                        * sum(ConsumerLoop::counted)
                : received() + sum(ConsumerLoop::missing);
    }

    private long sum(final java.util.function.ToLongFunction<ConsumerLoop> figure) {
        return loops.stream().mapToLong(figure).sum();
    }

    private Map<String, Object> metrics(final ReceivedCounts all) {
        final long durationNs = all.durationNs().get();
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("consumers", settings.consumers());
        if (settings.stalled() > 0) {
            metrics.put("stalled", settings.stalled());
        }
        metrics.put(
                "receivedPerSecond", durationNs == 0 ? 0 : all.received().get() * 1e9 / durationNs);
        return ReceivedCounts.COLUMNS.metrics(all, all, durationNs, Set.of(), Map.of("", metrics));
    }

    private String failure(final ReceivedCounts all) {
        return Stream.of(
                        Stream.of(group.failure()),
                        loops.stream()
                                .map(loop -> loop.received().ended())
                                .filter(reason -> !reason.isEmpty())
                                .map(reason -> "A consumer's session ended: " + reason + "."),
                        Stream.of(nothingReceived(all), isUnknownOnPurpose() ? "" : unknown()))
                .flatMap(reasons -> reasons)
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Consumers that received nothing have not passed, unless they were stopped before. */
    private String nothingReceived(final ReceivedCounts all) {
        return all.received().get() > 0 || context.isStopped()
                ? ""
                : ("No consumer received a measured message: of those that came, %d belonged to the warm-up, %d were not marked"
                                + " to fan out, and %d were foreign (without the fields 9700 to 9705, which a gateway must pass"
                                + " on, or answers to requests).")
                        .formatted(all.warmUps().get(), all.unmarked().get(), all.foreign().get());
    }

    /**
     * Whether the verdict does not depend on what {@link #unknown} tells: the user ended it, or the
     * producers of the same plan say how many messages they sent. They do not say it of a symbol.
     */
    private boolean isUnknownOnPurpose() {
        return context.isStopped() || areProducersInPlan && settings.symbols().isEmpty();
    }

    /**
     * Which messages may have been sent without a trace here: it ended before the final messages of
     * producers came, or before the gateway said how many messages it had for a session.
     */
    private String unknown() {
        return settings.symbols().isEmpty() ? endsMissing() : logoutsMissing();
    }

    private String endsMissing() {
        final List<Unended> unended =
                ProducerSequences.unended(
                        loops.stream().flatMap(loop -> loop.received().numbers()).toList());
        if (unended.isEmpty()) {
            return "";
        }
        final Unended first = unended.getFirst();
        return "The end of producer %d%s never arrived: what it sent after number %d (field 9704) is not known."
                .formatted(
                        first.producer(),
                        unended.size() == 1
                                ? ""
                                : " (and of %d others)".formatted(unended.size() - 1),
                        first.lastNumber());
    }

    private String logoutsMissing() {
        final long missing = sum(ConsumerLoop::unanswered);
        return missing == 0
                ? ""
                : ("The gateway did not answer the Logout of %s: what else it had for them is"
                                + " unknown.")
                        .formatted(Plural.of(missing, "session"));
    }

    @Override
    public void close() {
        progress.stop();
        loops.forEach(ConsumerLoop::close);
    }

    /** Creates consumers. */
    public static final class Factory extends RoleFactory.Declared<ConsumersSettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "fix-consumers",
                    "Receives FIX messages on many sessions, and times and counts them.",
                    ConsumersSettings.class);
        }

        static List<HotThread> threads(final ConsumersSettings settings) {
            return settings.client().hotThreads("consumers", settings.consumers());
        }

        @Override
        public List<HotThread> hotThreads(
                final ConsumersSettings settings, final int index, final int count) {
            return threads(settings);
        }

        @Override
        public long expectedDurationNs(final ConsumersSettings settings) {
            return 0;
        }

        @Override
        public Role create(final ConsumersSettings settings, final RoleContext context) {
            return new Consumers(settings, context);
        }
    }

    /** One thread's part of the consumers. */
    private static final class ConsumerLoop implements AutoCloseable {
        private static final int LIMIT_BYTES = 1 << 20;
        private static final long WAIT_MS = 20;
        private static final long ANSWERS_NS = 2_000_000_000;
        private static final long QUIET_NS = 80_000_000;

        /** A thread that does not sleep does other work than messages once in this many passes. */
        private static final int LOOK_EVERY = 4095;

        private final ConsumersSettings settings;
        private final LoopGroup group;
        private final RoleContext context;
        private final ClientSessions sessions;
        private final Received received;
        private final int first;
        private final int count;
        private final Idle idle;
        private final StallWatch watch;
        private final Waker waker = this::sleep;
        private final AtomicInteger reading;
        private boolean isStalled;
        private int unanswered;
        private int looks;

        /**
         * {@code reading} counts the loops of the role that have reading sessions and are still
         * running.
         */
        ConsumerLoop(
                final ConsumersSettings settings,
                final LoopGroup group,
                final Received received,
                final ClientOptions.Part part,
                final AtomicInteger reading) {
            this.settings = settings;
            this.group = group;
            context = group.context();
            this.received = received;
            first = part.first();
            count = part.count();
            idle = group.idle(part.thread());
            watch = group.watch(part.thread());
            this.reading = reading;
            received.stalled(stalledHere());
            if (counted() > 0) {
                reading.incrementAndGet();
            }
            sessions =
                    new ClientSessions(
                            context,
                            LinkFactory.client(settings.client().session()),
                            settings.client().session().maxMessageBytes());
        }

        void connect(final InetSocketAddress address) {
            final SessionNumbers numbers = SessionNumbers.of(context);
            for (int i = 0; i < count; i++) {
                final SessionConfig config =
                        settings.client()
                                .session()
                                .initiator(
                                        settings.consumerPrefix() + numbers.of(first + i),
                                        settings.client().heartbeat(),
                                        LIMIT_BYTES);
                sessions.open(address, config, received).attach(i);
            }
            sessions.awaitLogons(ClientSessions.text(address));
            if (!settings.symbols().isEmpty()) {
                received.awaitAnswers(settings.symbols().size());
                for (int i = 0; i < count; i++) {
                    subscribe(sessions.connection(i).session());
                }
                awaitAnswers();
            }
        }

        /**
         * A snapshot of each symbol says that updates will follow; a gateway that sends none is not
         * waited for long.
         */
        private void awaitAnswers() {
            final long untilNs = context.clock().nanoTime() + ANSWERS_NS;
            for (int i = 0; i < count; i++) {
                sessions.connection(i).flush(sessions.io(), sessions.clock().nowNs());
            }
            while (received.isAwaitingAnswers() && context.clock().nanoTime() - untilNs < 0) {
                sessions.pass(WAIT_MS);
            }
            received.awaitAnswers(0);
        }

        private void subscribe(final FixSession session) {
            final BodyBytes body = new BodyBytes(128);
            body.field(Tags.MD_REQ_ID, "1").field(Tags.SUBSCRIPTION_REQUEST_TYPE, 1).field(264, 0);
            body.field(Tags.MD_UPDATE_TYPE, settings.incremental() ? 1 : 0);
            body.field(Tags.NO_MD_ENTRY_TYPES, 2)
                    .field(Tags.MD_ENTRY_TYPE, 0)
                    .field(Tags.MD_ENTRY_TYPE, 1);
            body.field(Tags.NO_RELATED_SYM, settings.symbols().size());
            settings.symbols().forEach(symbol -> body.field(Tags.SYMBOL, symbol));
            session.send("V", body);
        }

        /**
         * Serves until the gateway has logged out all reading sessions, nothing arrives any more,
         * or a stop. A loop whose sessions all stop reading receives no end: it ends with the
         * others.
         */
        void run() {
            try {
                serve();
            } finally {
                if (counted() > 0) {
                    reading.decrementAndGet();
                }
            }
            sessions.logOut(stalledHere());
            unanswered = sessions.open(stalledHere());
        }

        private void serve() {
            final long idleNs = settings.idleTimeout().toNanos();
            final long startNs = context.clock().nanoTime();
            boolean isOver = false;
            while (!isOver && !group.isOver()) {
                pass();
                if (idle.mode().sleeps() || (looks++ & LOOK_EVERY) == 0) {
                    isOver = isOver(startNs, idleNs);
                }
            }
        }

        private void pass() {
            watch.worked(); // reading and checking are not stalls
            final int work = sessions.pass(0);
            watch.look(sessions.clock().nowNs());
            if (work > 0) {
                idle.reset();
            } else {
                idle.await(waker, Idle.NEVER_DUE);
            }
        }

        private void sleep(final long longestNs) {
            if (sessions.pass(TimeUnit.NANOSECONDS.toMillis(longestNs)) > 0) {
                idle.reset();
            }
        }

        private boolean isOver(final long startNs, final long idleNs) {
            final long nowNs = context.clock().nanoTime();
            received.pass(nowNs, QUIET_NS);
            if (!isStalled && received.isMeasuring()) {
                isStalled = true;
                for (int i = 0; i < count && first + i <= settings.stalled(); i++) {
                    sessions.stall(i);
                }
            }
            if (counted() == 0) {
                return reading.get() == 0;
            }
            final long heardNs = Math.max(startNs, received.lastNs());
            return settings.exitAtEnd() && sessions.open(stalledHere()) == 0
                    || idleNs > 0 && nowNs - heardNs > idleNs;
        }

        int stalledHere() {
            return Math.clamp(settings.stalled() - first + 1L, 0, count);
        }

        /** Sessions whose messages count. */
        int counted() {
            return count - stalledHere();
        }

        Received received() {
            return received;
        }

        /** Reading sessions that the gateway has not logged out; complete after {@link #run}. */
        int unanswered() {
            return unanswered;
        }

        /** Any thread. */
        long receivedSoFar() {
            return received.receivedSoFar();
        }

        /** Complete after {@link #run}. */
        ReceivedCounts counts() {
            long garbled = 0;
            long missed = 0;
            for (int i = 0; i < sessions.size(); i++) {
                final FixSession session = sessions.connection(i).session();
                garbled += session.garbled();
                missed += session.incoming().missed();
            }
            final ReceivedCounts counts = received.counts();
            counts.garbled().set(garbled);
            counts.missed().set(missed);
            return counts;
        }

        /** Numbers for which no message arrived to the sessions that count. */
        long missing() {
            long missing = 0;
            for (int i = stalledHere(); i < sessions.size(); i++) {
                missing += sessions.connection(i).session().incoming().missing();
            }
            return missing;
        }

        @Override
        public void close() {
            sessions.close();
        }
    }

    /**
     * Settings of the consumers.
     *
     * @param client settings shared with producers
     * @param consumersPort of the gateway
     * @param consumers how many sessions
     * @param progressEvery messages between two lines of progress
     * @param consumerPrefix how their CompIDs begin
     * @param symbols to request, empty to take what is sent
     * @param incremental whether incremental updates are requested
     * @param stalled how many of the sessions stop reading
     * @param exitAtEnd whether they end when the gateway logs them out
     * @param idleTimeout without a message after which they end, zero for never
     */
    public record ConsumersSettings(
            ClientOptions client,
            @Setting(
                            help = "Port of the gateway.",
                            byDefault = "3001",
                            min = 0,
                            max = 65535,
                            aliases = {"--port"})
                    int consumersPort,
            @Setting(help = "Sessions.", byDefault = "1", min = 1, max = 10_000) int consumers,
            @Setting(
                            help = "Messages between two lines of progress; 0 for none.",
                            byDefault = "1000",
                            min = 0)
                    long progressEvery,
            @Setting(
                            help = "CompIDs of consumers are this and a number.",
                            byDefault = "CONSUMER",
                            label = "TEXT")
                    String consumerPrefix,
            @Setting(
                            help =
                                    "Symbols to ask for with a MarketDataRequest (35=V); none: take what is sent.",
                            label = "SYMBOL,...")
                    List<String> symbols,
            @Setting(help = "Ask for incremental updates (35=X).") boolean incremental,
            @Setting(
                            help =
                                    "How many of the sessions stop reading when the measurement begins, to be slow"
                                            + " consumers; their messages are not expected. At least one reads.",
                            byDefault = "0",
                            min = 0,
                            max = 10_000)
                    int stalled,
            @Setting(help = "End when the gateway has logged all sessions out.", byDefault = "true")
                    boolean exitAtEnd,
            @Setting(
                            help = "End when no message has arrived for this long; 0 for never.",
                            byDefault = "0",
                            max = 86_400e9)
                    Duration idleTimeout) {
        /** Refuses contradictions. */
        public ConsumersSettings {
            if (stalled
                    >= consumers) { // a session that does not read does not receive the end either
                throw UserError.usage(
                        "--stalled %d: there are only %d consumers, and one has to read; give more --consumers."
                                .formatted(stalled, consumers));
            }
        }
    }
}
