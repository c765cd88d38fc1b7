package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.Waker;
import io.tickmark.workloads.fix.link.LinkFactory;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.Tags;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Consumers: the first thread is the role's own, its latencies are recorded second by second. */
public final class Consumers implements Role {
    private final ConsumersSettings settings;
    private final RoleContext context;
    private final List<ConsumerLoop> loops = new ArrayList<>();
    private final List<Histogram> responses = new ArrayList<>();
    private final List<Histogram> services = new ArrayList<>();
    private final Counter counter;
    private final ProgressLines progress;
    private final LoopGroup group;

    Consumers(final ConsumersSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        group = new LoopGroup(context, "consumer thread");
        counter = context.recording().counter(Counts.RECEIVED);
        progress =
                new ProgressLines(
                        settings.progressEvery(),
                        this::received,
                        count -> context.tell("Received " + count + " messages."),
                        counter);
        final int threads = Math.min(settings.client().threads(), settings.consumers());
        final AtomicInteger reading = new AtomicInteger();
        int first = 1;
        for (int i = 0; i < threads; i++) {
            final int count =
                    settings.consumers() / threads + (i < settings.consumers() % threads ? 1 : 0);
            loops.add(
                    new ConsumerLoop(
                            settings,
                            group,
                            received(i, count),
                            first,
                            count,
                            context.idleStrategy(Factory.thread(i)),
                            reading));
            first += count;
        }
    }

    private Received received(final int thread, final int count) {
        if (thread == 0) {
            return new Received(
                    context,
                    count,
                    Received.Latency.of(context.recording().latency(Latencies.RESPONSE_NS)),
                    Received.Latency.of(context.recording().latency(Latencies.SERVICE_NS)),
                    () -> context.recording().beginStep(0, "fan-out"));
        }
        final Histogram response = histogram(responses);
        final Histogram service = histogram(services);
        return new Received(
                context,
                count,
                into(response),
                into(service),
                () -> {
                    response.reset();
                    service.reset();
                });
    }

    private static Histogram histogram(final List<Histogram> list) {
        list.add(new Histogram(1, LatencyRecorder.HIGHEST_NS, LatencyRecorder.DIGITS));
        return list.getLast();
    }

    private static Received.Latency into(final Histogram histogram) {
        return ns -> histogram.recordValue(Math.clamp(ns, 1, LatencyRecorder.HIGHEST_NS));
    }

    private long received() {
        return loops.stream().mapToLong(loop -> loop.received().received()).sum();
    }

    @Override
    public Endpoints prepare() {
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        final String bound = endpoints.named("fixConsumers").stream().findFirst().orElse("");
        final InetSocketAddress address =
                settings.client().address(bound, settings.consumersPort());
        loops.forEach(loop -> loop.connect(address));
        context.tell(
                settings.consumers()
                        + " consumers are logged on at "
                        + ClientSessions.text(address)
                        + ".");
    }

    @Override
    public RoleResult run(final long startAtNs) {
        progress.start();
        group.run(
                "fix-consumers",
                number -> ClientSessions.settle(context, number, Factory.thread(number - 1)),
                loops.stream().<Runnable>map(loop -> loop::run).toList());
        progress.stop();
        counter.set(received());
        final List<String> warnings = new ArrayList<>();
        final List<StepResult> steps = new ArrayList<>();
        if (received() > 0) {
            steps.add(step(warnings));
        }
        return new RoleResult(steps, metrics(), warnings, failure());
    }

    private StepResult step(final List<String> warnings) {
        final StepRecording recorded = context.recording().endStep();
        final Map<String, Histogram> latencies = new LinkedHashMap<>(recorded.latencies());
        responses.forEach(more -> add(latencies, Latencies.RESPONSE_NS, more));
        services.forEach(more -> add(latencies, Latencies.SERVICE_NS, more));
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(Counts.RECEIVED, received());
        counts.put(Counts.EXPECTED, expected());
        counts.put(Counts.DUPLICATED, sum(loop -> loop.received().duplicated()));
        counts.put(Counts.CORRUPTED, sum(ConsumerLoop::garbled));
        counts.put("sequenceGaps", sum(ConsumerLoop::missed));
        counts.putAll(recorded.counts());
        if (loops.stream().anyMatch(loop -> loop.received().isForeignHost())) {
            warnings.add("One-way times were not measured: producers are on another host.");
        }
        final long durationNs =
                loops.stream().mapToLong(loop -> loop.received().durationNs()).max().orElse(0);
        final int bytes =
                loops.stream().mapToInt(loop -> loop.received().messageBytes()).max().orElse(0);
        return new StepResult(0, "", bytes, counts, durationNs, 0, 0, latencies, List.of());
    }

    /**
     * Each session should have received what any of them knows the producers to have sent.
     * Producers do not report how many messages a symbol had: then messages missing in the sessions
     * count as lost.
     */
    private long expected() {
        return settings.symbols().isEmpty()
                ? ProducerNumbers.total(
                                loops.stream().flatMap(loop -> loop.received().numbers()).toList())
                        * sum(ConsumerLoop::counted)
                : received() + sum(ConsumerLoop::missing);
    }

    private static void add(
            final Map<String, Histogram> latencies, final String name, final Histogram more) {
        if (more.getTotalCount() > 0) {
            final Histogram there = latencies.putIfAbsent(name, more);
            if (there != null) {
                there.add(more);
            }
        }
    }

    private long sum(final java.util.function.ToLongFunction<ConsumerLoop> figure) {
        return loops.stream().mapToLong(figure).sum();
    }

    private Map<String, Object> metrics() {
        final long durationNs =
                loops.stream().mapToLong(loop -> loop.received().durationNs()).max().orElse(0);
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("consumers", settings.consumers());
        if (settings.stalled() > 0) {
            metrics.put("stalled", settings.stalled());
        }
        metrics.put("receivedPerSecond", durationNs == 0 ? 0 : received() * 1e9 / durationNs);
        metrics.put("warmUpReceived", sum(loop -> loop.received().warmUps()));
        metrics.put("unmarkedReceived", sum(loop -> loop.received().unmarked()));
        metrics.put("foreignMessages", sum(loop -> loop.received().foreign()));
        return metrics;
    }

    private String failure() {
        return Stream.concat(
                        Stream.of(group.failure()),
                        loops.stream()
                                .map(loop -> loop.received().ended())
                                .filter(reason -> !reason.isEmpty())
                                .map(reason -> "a consumer's session ended: " + reason + "."))
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("");
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

        static HotThread thread(final int number) {
            return new HotThread("consumers-" + (number + 1));
        }

        @Override
        public List<HotThread> hotThreads(
                final ConsumersSettings settings, final int index, final int count) {
            return IntStream.range(0, settings.client().threads())
                    .mapToObj(number -> thread(number).waiting(settings.client().idle()))
                    .toList();
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
        private final Waker waker = this::sleep;
        private final AtomicInteger reading;
        private boolean isStalled;
        private int looks;

        /**
         * Serves sessions {@code first} to {@code first + count - 1}, numbered from 1; {@code
         * reading} counts the loops of the role that have sessions that read, and are not over.
         */
        ConsumerLoop(
                final ConsumersSettings settings,
                final LoopGroup group,
                final Received received,
                final int first,
                final int count,
                final Idle idle,
                final AtomicInteger reading) {
            this.settings = settings;
            this.group = group;
            context = group.context();
            this.received = received;
            this.first = first;
            this.count = count;
            this.idle = idle;
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
            if (sessions.pass(0) > 0) {
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
            received.onQuiet(nowNs, QUIET_NS);
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

        long garbled() {
            long garbled = 0;
            for (int i = 0; i < sessions.size(); i++) {
                garbled += sessions.connection(i).session().garbled();
            }
            return garbled;
        }

        long missed() {
            long missed = 0;
            for (int i = 0; i < sessions.size(); i++) {
                missed += sessions.connection(i).session().incoming().missed();
            }
            return missed;
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
}
