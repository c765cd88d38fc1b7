package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Counts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The recorders of a role, drained by intervals and by steps. Every method may be called from any
 * thread and is short: nothing here touches a file, so that a slow disk never holds up a step.
 */
final class Recorders {
    private final Map<String, LatencyRecorder> latencies = new LinkedHashMap<>();
    private final Map<String, Counter> counters = new LinkedHashMap<>();
    private final Map<String, Counter> gauges = new LinkedHashMap<>();
    private final Map<String, LatencyLog> logs = new LinkedHashMap<>();
    private final Map<String, Histogram> unreported = new LinkedHashMap<>();
    private final Map<String, Histogram> stepTotals = new LinkedHashMap<>();
    private final Deque<RecordedInterval> pending = new ArrayDeque<>();
    private final boolean keepsIntervals;
    private Map<String, Long> lastTotals = Map.of();
    private Map<String, Long> countsAtStart = Map.of();
    private long[] faultsNs = {};
    private int step = LatencyLog.NO_STEP;
    private String label = "";
    private boolean inStep;
    private volatile boolean hasBegun;
    private long startedNs;
    private long intervalStartNs;

    /** {@code keepsIntervals} is false where they are not written. */
    Recorders(final boolean keepsIntervals) {
        this.keepsIntervals = keepsIntervals;
    }

    synchronized LatencyRecorder latency(final String name) {
        return latencies.computeIfAbsent(
                name,
                kind -> {
                    final LatencyRecorder recorder = new LatencyRecorder(kind);
                    recorder.step(step);
                    watch(recorder);
                    return recorder;
                });
    }

    private void watch(final LatencyRecorder recorder) {
        if (faultsNs.length > 0) {
            recorder.watch(faultsNs);
        }
    }

    /** Keeps the arrivals after faults that are planned for these times. */
    synchronized void watchFaults(final long[] plannedNs) {
        faultsNs = plannedNs.clone();
        latencies.values().forEach(this::watch);
    }

    /** What arrived after each of them, by latency; without those of no deliveries. */
    synchronized Map<String, List<Deliveries.AfterFault>> deliveries() {
        final Map<String, List<Deliveries.AfterFault>> all = new LinkedHashMap<>();
        latencies.forEach((name, recorder) -> {
            final Deliveries deliveries = recorder.deliveries();
            if (deliveries != null && deliveries.isUsed()) {
                all.put(name, deliveries.all());
            }
        });
        return all;
    }

    synchronized Counter counter(final String name) {
        return counters.computeIfAbsent(name, Counter::new);
    }

    synchronized Counter gauge(final String name) {
        return gauges.computeIfAbsent(name, Counter::new);
    }

    synchronized LatencyLog log(final String name) {
        return logs.computeIfAbsent(
                name,
                kind -> {
                    final LatencyLog log = keepsIntervals ? LatencyLog.on(kind) : LatencyLog.off();
                    log.step(step);
                    return log;
                });
    }

    synchronized List<LatencyLog> logs() {
        return List.copyOf(logs.values());
    }

    synchronized void begin(final int newStep, final String newLabel, final long nowNs) {
        latencies.values().forEach(recorder -> recorder.recycle(recorder.drain()));
        logs.values().forEach(log -> log.step(newStep));
        latencies.values().forEach(recorder -> recorder.step(newStep));
        stepTotals.clear();
        startedNs = step < 0 ? nowNs : startedNs;
        step = newStep;
        label = newLabel;
        intervalStartNs = nowNs;
        lastTotals = totals();
        countsAtStart = counts();
        inStep = true;
        hasBegun = true;
    }

    synchronized boolean hasLatencies() {
        return !latencies.isEmpty();
    }

    /** Whether any step has begun. */
    boolean hasBegun() {
        return hasBegun;
    }

    /** Drains an interval if a step is in progress. */
    synchronized void drain(final long nowNs) {
        if (!inStep) {
            return;
        }
        final Map<String, Histogram> drained = new LinkedHashMap<>();
        for (final LatencyRecorder recorder : latencies.values()) {
            final Histogram histogram = recorder.drain();
            drained.put(recorder.name(), histogram);
            if (histogram.getTotalCount() > 0) {
                stepTotals
                        .computeIfAbsent(recorder.name(), name -> LatencyRecorder.newHistogram())
                        .add(histogram);
                unreported
                        .computeIfAbsent(recorder.name(), name -> LatencyRecorder.newHistogram())
                        .add(histogram);
            }
        }
        final Map<String, Long> totals = totals();
        final RecordedInterval interval =
                new RecordedInterval(
                        step,
                        label,
                        intervalStartNs,
                        nowNs,
                        lastTotals,
                        totals,
                        values(gauges),
                        drained);
        lastTotals = totals;
        intervalStartNs = nowNs;
        if (keepsIntervals) {
            pending.add(interval);
        } else {
            recycle(interval);
        }
    }

    synchronized StepRecording end(final long nowNs) {
        drain(nowNs);
        inStep = false;
        final Map<String, Long> counts = counts();
        counts.replaceAll((name, count) -> count - countsAtStart.getOrDefault(name, 0L));
        counts.entrySet()
                .removeIf(count -> isOfOneLatency(count.getKey()) && count.getValue() == 0);
        final StepRecording recording = new StepRecording(stepTotals, counts);
        stepTotals.clear();
        return recording;
    }

    /** The oldest interval that was not written yet; to be returned with {@link #recycle}. */
    synchronized Optional<RecordedInterval> takePending() {
        return Optional.ofNullable(pending.poll());
    }

    synchronized void recycle(final RecordedInterval interval) {
        interval.latencies().forEach((name, histogram) -> latencies.get(name).recycle(histogram));
    }

    synchronized Progress progress(final long nowNs) {
        return progress(nowNs, Map.of());
    }

    /** The same with the latencies since the last call of this method. */
    synchronized Progress news(final long nowNs) {
        final Map<String, LatencyInterval> latencies = new LinkedHashMap<>();
        unreported.forEach((name, histogram) -> {
            if (histogram.getTotalCount() > 0) {
                latencies.put(name, LatencyInterval.of(histogram));
                histogram.reset();
            }
        });
        return progress(nowNs, latencies);
    }

    private Progress progress(final long nowNs, final Map<String, LatencyInterval> latencies) {
        return new Progress(
                step,
                label,
                inStep,
                step < 0 ? 0 : nowNs - startedNs,
                totals(),
                values(gauges),
                latencies);
    }

    private Map<String, Long> totals() {
        return values(counters);
    }

    private static Map<String, Long> values(final Map<String, Counter> some) {
        final Map<String, Long> values = new LinkedHashMap<>();
        some.forEach((name, counter) -> values.put(name, counter.get()));
        return values;
    }

    private Map<String, Long> counts() {
        final Map<String, Long> counts = new LinkedHashMap<>();
        for (final LatencyRecorder recorder : latencies.values()) {
            // Each loop of a role has a recorder of its own, and their latencies are joined.
            final String latency = recorder.name().replaceFirst("-\\d+$", "");
            add(counts, latency, Counts.NOT_POSITIVE, recorder.notPositive());
            add(counts, latency, Counts.OUT_OF_RANGE, recorder.outOfRange());
        }
        logs.values().forEach(log -> counts.merge(Counts.NOT_LOGGED, log.notLogged(), Long::sum));
        return counts;
    }

    private static void add(
            final Map<String, Long> counts,
            final String latency,
            final String name,
            final long count) {
        counts.merge(name, count, Long::sum);
        counts.merge(Counts.of(latency, name), count, Long::sum);
    }

    private static boolean isOfOneLatency(final String name) {
        return Counts.isNotTimed(name) && name.indexOf('.') >= 0;
    }

    /**
     * What was recorded between two drains.
     *
     * @param before totals of the counters at the start, by name
     * @param totals at the end
     * @param gauges at the end, by name
     * @param latencies histograms of the interval, lent by their recorders
     */
    record RecordedInterval(
            int step,
            String label,
            long startNs,
            long endNs,
            Map<String, Long> before,
            Map<String, Long> totals,
            Map<String, Long> gauges,
            Map<String, Histogram> latencies) {

        /** Events per second of a counter in this interval. */
        double rate(final String counter) {
            final long events = totals.get(counter) - before.getOrDefault(counter, 0L);
            return endNs > startNs ? events * 1e9 / (endNs - startNs) : 0;
        }
    }
}
