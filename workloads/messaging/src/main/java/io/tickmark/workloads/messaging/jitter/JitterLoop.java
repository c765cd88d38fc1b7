package io.tickmark.workloads.messaging.jitter;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Percentiles;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.stall.ThreadUsage;
import io.tickmark.workloads.messaging.Buckets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.agrona.concurrent.NanoClock;

/**
 * A loop that only spins, reads the clock and records the time since the last reading. All time is
 * covered: recording a pass belongs to the next one. Whatever makes a pass long (interrupts, the
 * scheduler, the hypervisor) would have delayed a measurement as well.
 */
public final class JitterLoop implements Role {
    /** So that the loop is compiled before it counts. */
    static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The time between two readings of the clock. */
    static final String PASS_NS = "passNs";

    /** Sizes of gaps, each counted with those above it. */
    private static final long[] GAPS_NS = {1_000, 10_000, 100_000, 1_000_000, 10_000_000};

    private static final String[] GAPS = {"1us", "10us", "100us", "1ms", "10ms"};
    private static final long STOLEN_FROM_NS = 10_000;

    /** Longest interval over which the CPU time of other threads is spread. */
    private static final long READ_EVERY_NS = 10_000_000;

    private static final int COST_READINGS = 1_000;

    private static final double[] WAIT_PERCENTILES = {90, 99, 99.9, 99.99};
    private static final String[] WAITS = {
        "stallWaitP90Ns", "stallWaitP99Ns", "stallWaitP999Ns", "stallWaitP9999Ns",
    };

    private final JitterSettings settings;
    private final RoleContext context;
    private final NanoClock clock;
    private final long[] gaps = new long[GAPS_NS.length];
    private final LatencyRecorder recorder;
    private final Counter passes;
    private Optional<ThreadUsage> usage = Optional.empty();
    private GapOwners owners = new GapOwners();
    private int movedThreads;
    private long minNs;
    private long maxNs;
    private long stolenNs;

    /**
     * Duration of an uninterrupted pass, including its turns, which does not count as a gap.
     * Unknown until the warm-up is over; until then there are no gaps.
     */
    private long ownNs = Long.MAX_VALUE;

    /** The kernel's counters when they were last read, and their growth until then. */
    private long readNs;

    private long cpuNs;
    private long othersCpuNs;
    private long voluntary;
    private long intervalNs;
    private long ranNs;
    private long othersRanNs;
    private boolean gaveUp;
    private long readCostNs;
    private boolean isAfterRead;

    private int spun;

    JitterLoop(final JitterSettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
        clock = context.clock();
        recorder = context.recording().latency(PASS_NS);
        passes = context.recording().counter("passes");
    }

    @Override
    public Endpoints prepare() {
        // only on its own machine: the one that starts it may have other cores
        Affinity.checkReachable("--core", settings.core());
        return Endpoints.NONE;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        // There is no peer to connect to.
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.pin(Factory.THREAD);
        usage = ThreadUsage.ofThisThread();
        try (Affinity.ClearedCores cleared = clearedCore()) {
            movedThreads = cleared == null ? 0 : cleared.movedThreads();
            return watched();
        } finally {
            usage.ifPresent(ThreadUsage::close);
            usage = Optional.empty();
        }
    }

    /**
     * A single loop gets its core to itself; beside other loops the JVM's threads would only be
     * moved from one loop to another. Null where they are not moved.
     */
    private Affinity.ClearedCores clearedCore() {
        final List<Integer> cores = Affinity.currentCores();
        return context.count() == 1 && cores.size() == 1
                ? Affinity.keepOthersOff(cores.getFirst())
                : null;
    }

    private RoleResult watched() {
        watch(WARM_UP_NS, 0);
        ownNs = minNs;
        readCostNs = measuredReadCostNs();
        context.recording().beginStep(0, "jitter");
        final long watchedNs = watch(settings.duration().toNanos(), settings.loops());
        final StepRecording recorded = context.recording().endStep();
        final Histogram histogram = recorded.latencies().get(PASS_NS);
        return new RoleResult(
                List.of(
                        new StepResult(
                                0,
                                "",
                                0,
                                recorded.counts(),
                                watchedNs,
                                0,
                                0,
                                recorded.latencies(),
                                List.of())),
                metrics(histogram, watchedNs),
                List.of(),
                histogram == null ? "The loop was stopped before its first pass." : "");
    }

    /** Runs the given number of passes, or where that is 0, until the time is over. */
    private long watch(final long durationNs, final long loops) {
        java.util.Arrays.fill(gaps, 0);
        minNs = Long.MAX_VALUE;
        maxNs = 0;
        stolenNs = 0;
        owners = new GapOwners();
        final long startNs = clock.nanoTime();
        final long leastNs = ownNs == Long.MAX_VALUE ? 0 : ownNs;
        long lastNs = readUsage(startNs);
        long pass = 0;
        while (loops > 0 ? pass < loops : lastNs - startNs < durationNs) {
            spin();
            final long nowNs = clock.nanoTime();
            final long passNs = isAfterRead ? Math.max(leastNs, nowNs - lastNs) : nowNs - lastNs;
            isAfterRead = false;
            record(passNs);
            lastNs = nowNs;
            pass++;
            if (passNs - ownNs >= STOLEN_FROM_NS) {
                lastNs = charge(passNs - ownNs, nowNs);
            } else if (nowNs - readNs >= READ_EVERY_NS) {
                lastNs = readUsage(nowNs);
            }
            if (context.isStopped()) {
                break;
            }
        }
        return lastNs - startNs;
    }

    /** Attributes a gap; called when the next pass begins. */
    private long charge(final long gapNs, final long nowNs) {
        final long untilNs = readUsage(nowNs);
        if (usage.isPresent()) {
            // threads that were moved away ran on other cores
            final long ranHereNs = movedThreads > 0 ? 0 : othersRanNs;
            owners.add(gapNs, intervalNs, ranNs, ranHereNs, gaveUp);
        }
        return untilNs;
    }

    /**
     * Reads the kernel's counters for this thread; called when the next pass begins. The minimum
     * duration of a reading is not part of a pass, all time above it is.
     */
    private long readUsage(final long nowNs) {
        if (usage.isEmpty()) {
            readNs = nowNs;
            return nowNs;
        }
        final ThreadUsage counters = usage.get();
        counters.read();
        intervalNs = nowNs - readNs;
        ranNs = counters.cpuNs() - cpuNs;
        othersRanNs = counters.othersCpuNs() - othersCpuNs;
        gaveUp = counters.voluntary() > voluntary;
        readNs = nowNs;
        cpuNs = counters.cpuNs();
        othersCpuNs = counters.othersCpuNs();
        voluntary = counters.voluntary();
        isAfterRead = true;
        return nowNs + readCostNs;
    }

    /** Minimum duration of reading the counters. */
    private long measuredReadCostNs() {
        long leastNs = Long.MAX_VALUE;
        for (int i = 0; usage.isPresent() && i < COST_READINGS; i++) {
            final long beforeNs = clock.nanoTime();
            usage.get().read();
            leastNs = Math.min(leastNs, clock.nanoTime() - beforeNs);
        }
        return usage.isPresent() ? Math.max(0, leastNs - ownNs) : 0;
    }

    /** Uses a field, so that the turns are not optimised away. */
    private void spin() {
        int turns = spun;
        for (int i = 0; i < settings.spinCount(); i++) {
            turns ^= i;
        }
        spun = turns;
    }

    private void record(final long ns) {
        recorder.record(Math.max(1, ns));
        passes.increment();
        minNs = Math.min(minNs, ns);
        maxNs = Math.max(maxNs, ns);
        if (ns - ownNs >= GAPS_NS[0]) {
            gap(ns - ownNs);
        }
    }

    private void gap(final long ns) {
        for (int i = 0; i < GAPS_NS.length && ns >= GAPS_NS[i]; i++) {
            gaps[i]++;
        }
        if (ns >= STOLEN_FROM_NS) {
            stolenNs += ns;
        }
    }

    private Map<String, Object> metrics(final Histogram histogram, final long watchedNs) {
        final Map<String, Object> metrics = new LinkedHashMap<>();
        if (histogram == null) {
            return metrics;
        }
        metrics.put("cores", Affinity.currentCores().toString());
        metrics.put("passes", histogram.getTotalCount());
        metrics.put("minNs", minNs);
        metrics.put("maxNs", maxNs);
        for (int i = 0; i < GAPS.length; i++) {
            metrics.put("gapsFrom" + GAPS[i] + "PerSecond", gaps[i] * 1e9 / watchedNs);
        }
        metrics.put("stolenPercent", 100.0 * stolenNs / watchedNs);
        if (owners.isKnown) {
            metrics.put("stolenByJvmPercent", 100.0 * owners.byJvmNs / watchedNs);
            metrics.put("stolenByProgramsPercent", 100.0 * owners.byProgramsNs / watchedNs);
            metrics.put("stolenOnCorePercent", 100.0 * owners.onCoreNs / watchedNs);
            metrics.put("maxByJvmNs", owners.maxByJvmNs);
            metrics.put("maxByProgramsNs", owners.maxByProgramsNs);
            metrics.put("maxOnCoreNs", owners.maxOnCoreNs);
        }
        if (movedThreads > 0) {
            metrics.put("jvmThreadsMovedAway", movedThreads);
        }
        final StallWaits waits = new StallWaits(histogram, ownNs, STOLEN_FROM_NS, watchedNs);
        metrics.put("stallWaitMeanNs", waits.meanNs());
        for (int i = 0; i < WAITS.length; i++) {
            final String name = WAITS[i];
            waits.atPercentileNs(WAIT_PERCENTILES[i])
                    .ifPresent(ns -> metrics.put(name, Math.round(ns)));
        }
        if (!settings.histogram().isEmpty()) {
            metrics.put("histogram", Buckets.text(histogram, settings.histogram()));
        }
        metrics.put("spinCount", settings.spinCount());
        if (settings.core() >= 0) {
            metrics.put("core", settings.core());
        }
        return metrics;
    }

    @Override
    public void close() {
        // There is nothing to close.
    }

    /**
     * Attribution of the gaps. The kernel reports how long the thread was off its core, and the CPU
     * time of the other threads of this process meanwhile; a thread that never waits and still gave
     * up its core was held by its own JVM. The time that the thread was on its core but did not run
     * was taken by interrupts and the hypervisor.
     */
    static final class GapOwners {
        private boolean isKnown;
        private long byJvmNs;
        private long byProgramsNs;
        private long onCoreNs;
        private long maxByJvmNs;
        private long maxByProgramsNs;
        private long maxOnCoreNs;

        /**
         * A gap; the other figures are the growth of the counters in the interval that ends with
         * it.
         */
        void add(
                final long gapNs,
                final long intervalNs,
                final long ranNs,
                final long othersRanNs,
                final boolean gaveUp) {
            final long offNs = Math.min(gapNs, Math.max(0, intervalNs - ranNs));
            final long jvmNs = gaveUp ? offNs : Math.min(offNs, Math.max(0, othersRanNs));
            final long programsNs = offNs - jvmNs;
            isKnown = true;
            byJvmNs += jvmNs;
            byProgramsNs += programsNs;
            onCoreNs += gapNs - offNs;
            if (2 * jvmNs >= gapNs) {
                maxByJvmNs = Math.max(maxByJvmNs, gapNs);
            } else if (2 * programsNs >= gapNs) {
                maxByProgramsNs = Math.max(maxByProgramsNs, gapNs);
            } else {
                maxOnCoreNs = Math.max(maxOnCoreNs, gapNs);
            }
        }

        /** Time taken by the JVM's own threads, ns. */
        long byJvmNs() {
            return byJvmNs;
        }

        /** Time taken by threads of other programs, ns. */
        long byProgramsNs() {
            return byProgramsNs;
        }

        /** Time lost on the core to interrupts and the hypervisor, ns. */
        long onCoreNs() {
            return onCoreNs;
        }

        /** The longest gap that was mostly due to the JVM, ns. */
        long maxByJvmNs() {
            return maxByJvmNs;
        }
    }

    /** Creates jitter loops. */
    public static final class Factory extends RoleFactory.Declared<JitterSettings> {
        static final HotThread THREAD = new HotThread("jitter");

        /** A clock read and a recording; a slower machine takes longer, and the lab waits. */
        private static final long PASS_NS = 50;

        /** For the service loader. */
        public Factory() {
            super(
                    "jitter",
                    "Reads the clock in a loop on one core, and reports how often and for how long it did not run.",
                    JitterSettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final JitterSettings settings, final int index, final int count) {
            return List.of(THREAD.on(settings.core()));
        }

        @Override
        public long expectedDurationNs(final JitterSettings settings) {
            return JitterLoop.WARM_UP_NS
                    + (settings.loops() == 0
                            ? settings.duration().toNanos()
                            : Math.min(
                                    TimeUnit.DAYS.toNanos(1),
                                    settings.loops() * (PASS_NS + settings.spinCount())));
        }

        @Override
        public Role create(final JitterSettings settings, final RoleContext context) {
            return new JitterLoop(settings, context);
        }
    }

    /**
     * How long a message that is due at a random moment waits for a core that is stalled. Of
     * <i>n(L)</i> stalls of length <i>L</i> within the time <i>T</i>, the moment meets one with the
     * probability <i>n(L) L / T</i>, and the rest of it is then uniformly distributed from 0 to
     * <i>L</i> (the residual life of renewal theory):
     *
     * <pre>
     * P(wait &gt; x) = sum over L &gt; x of n(L) (L - x) / T
     * mean        = sum over L of n(L) L² / (2 T)
     * </pre>
     *
     * <p>So a stall of 10 ms weighs as much in the mean as a hundred stalls of 1 ms. Immutable;
     * created once a loop has ended.
     */
    static final class StallWaits {
        /** A number of stalls of about that length. */
        private record Stalls(double lengthNs, double count) {}

        private final List<Stalls> longestFirst = new ArrayList<>();
        private final long watchedNs;

        /**
         * Reads the stalls.
         *
         * @param passes lengths of all passes of the loop, ns
         * @param ownNs what a pass takes that nothing interrupts
         * @param fromNs shortest stall
         * @param watchedNs observed time, above 0
         */
        StallWaits(
                final Histogram passes, final long ownNs, final long fromNs, final long watchedNs) {
            this.watchedNs = watchedNs;
            for (final HistogramIterationValue value : passes.recordedValues()) {
                final long lengthNs =
                        passes.medianEquivalentValue(value.getValueIteratedTo()) - ownNs;
                if (lengthNs >= fromNs) {
                    longestFirst.addFirst(new Stalls(lengthNs, value.getCountAtValueIteratedTo()));
                }
            }
        }

        /**
         * The mean over all moments, including those without a stall.
         *
         * @return ns
         */
        double meanNs() {
            return longestFirst.stream()
                            .mapToDouble(stall -> stall.count * stall.lengthNs * stall.lengthNs)
                            .sum()
                    / (2.0 * watchedNs);
        }

        /**
         * A percentile of the wait over all moments.
         *
         * @param percentile 0 to 100
         * @return ns, 0 where that share of all moments meets no stall; empty where it comes from
         *     fewer than {@link Percentiles#FEWEST_ABOVE} stalls, those that are longer
         */
        OptionalDouble atPercentileNs(final double percentile) {
            // P(wait > x) T is a straight line between the lengths of two stalls: take the first
            // one that reaches this value.
            final double exceededNs = (1 - percentile / 100) * watchedNs;
            double count = 0;
            double sumNs = 0;
            for (int i = 0; i < longestFirst.size(); i++) {
                count += longestFirst.get(i).count;
                sumNs += longestFirst.get(i).count * longestFirst.get(i).lengthNs;
                final double waitNs = (sumNs - exceededNs) / count;
                if (waitNs
                        >= (i + 1 < longestFirst.size() ? longestFirst.get(i + 1).lengthNs : 0)) {
                    return count >= Percentiles.FEWEST_ABOVE || waitNs <= 0
                            ? OptionalDouble.of(Math.max(0, waitNs))
                            : OptionalDouble.empty();
                }
            }
            return OptionalDouble.of(0);
        }
    }

    /**
     * Settings of the jitter loop.
     *
     * @param duration how long to watch where no number of passes is given
     * @param loops passes; 0 for as many as the duration takes
     * @param spinCount empty turns in each pass
     * @param histogram buckets and their width in ns; empty for none
     * @param core CPU number to pin to, -1 to let the plan decide
     */
    public record JitterSettings(
            @Setting(
                            help = "How long to watch, where no number of passes is given.",
                            byDefault = "10s",
                            min = 1e6,
                            max = 86_400e9)
                    Duration duration,
            @Setting(
                            help = "Passes of the loop; 0 for as many as the duration takes.",
                            byDefault = "0",
                            min = 0,
                            max = 1e12)
                    long loops,
            @Setting(
                            help = "Empty turns in each pass, between two readings of the clock.",
                            byDefault = "0",
                            min = 0,
                            max = 1_000_000)
                    int spinCount,
            @Setting(
                            help =
                                    "Histogram of the passes: number of buckets and their width in ns.",
                            min = 1,
                            max = 1_000_000_000,
                            label = "BUCKETS,NS")
                    List<Integer> histogram,
            @Setting(
                            help = "CPU number to pin the loop to; -1 leaves it to the plan.",
                            byDefault = "-1",
                            min = -1,
                            max = 4095)
                    int core) {
        /** Checks conditions between settings. */
        public JitterSettings {
            Buckets.check("--histogram", histogram);
        }
    }
}
