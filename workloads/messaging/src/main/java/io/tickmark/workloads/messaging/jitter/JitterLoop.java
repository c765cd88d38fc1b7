package io.tickmark.workloads.messaging.jitter;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.CoreList;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.Buckets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/**
 * A loop that does nothing but spin, read the clock and record the time since the last reading. No
 * time is left out: recording a pass belongs to the next one. Whatever makes a pass long
 * (interrupts, the scheduler, the hypervisor) would have delayed a measurement as well.
 */
final class JitterLoop implements Role {
    /** So that the loop is compiled before it counts. */
    static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The time between two readings of the clock. */
    static final String PASS_NS = "passNs";

    /** Sizes of gaps, each counted with those above it. */
    private static final long[] GAPS_NS = {1_000, 10_000, 100_000, 1_000_000, 10_000_000};

    private static final String[] GAPS = {"1us", "10us", "100us", "1ms", "10ms"};
    private static final long STOLEN_FROM_NS = 10_000;

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
    private long minNs;
    private long maxNs;
    private long stolenNs;

    /** What a pass takes that nothing interrupts, its turns included: no part of a gap. */
    private long ownNs;

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
        checkCore();
        return Endpoints.NONE;
    }

    /** Not before it is on its machine: whoever starts it may have other cores. */
    private void checkCore() {
        final List<Integer> reachable = Affinity.reachableCores();
        if (settings.core() >= 0 && !reachable.contains(settings.core())) {
            throw UserError.usage(
                    "--core %d: this process may use cores %s; name one of them."
                            .formatted(settings.core(), CoreList.format(reachable)));
        }
    }

    @Override
    public void connect(final Endpoints endpoints) {
        // Nobody to connect to.
    }

    @Override
    public RoleResult run(final long startAtNs) {
        context.pin(JitterFactory.THREAD);
        watch(WARM_UP_NS, 0);
        ownNs = minNs;
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

    /** Passes, until there were so many, or where that is 0 until the time is over. */
    private long watch(final long durationNs, final long loops) {
        java.util.Arrays.fill(gaps, 0);
        minNs = Long.MAX_VALUE;
        maxNs = 0;
        stolenNs = 0;
        final long startNs = clock.nanoTime();
        long lastNs = startNs;
        long pass = 0;
        while (loops > 0 ? pass < loops : lastNs - startNs < durationNs) {
            spin();
            final long nowNs = clock.nanoTime();
            record(nowNs - lastNs);
            lastNs = nowNs;
            pass++;
            if (context.isStopped()) {
                break;
            }
        }
        return lastNs - startNs;
    }

    /** A field takes part, so that the turns are not optimised away. */
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
        final StallWaits waits = new StallWaits(histogram, ownNs, STOLEN_FROM_NS, watchedNs);
        metrics.put("stallWaitMeanNs", waits.meanNs());
        for (int i = 0; i < WAITS.length; i++) {
            metrics.put(WAITS[i], Math.round(waits.atPercentileNs(WAIT_PERCENTILES[i])));
        }
        if (!settings.histogram().isEmpty()) {
            metrics.put("histogram", Buckets.text(histogram, settings.histogram()));
        }
        // the line that users of the streaming suite look for
        metrics.put(
                "figures",
                "o_affinity_cpu=%d, o_jitter_loops=%d, o_spin_cnt=%d, ts_min_ns=%d, ts_max_ns=%d,"
                        .formatted(
                                settings.core(),
                                histogram.getTotalCount(),
                                settings.spinCount(),
                                minNs,
                                maxNs));
        return metrics;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
