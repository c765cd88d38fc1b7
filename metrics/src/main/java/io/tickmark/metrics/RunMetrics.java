package io.tickmark.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.control.RunListener;
import io.tickmark.lab.live.LiveTick;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;

/**
 * How a run stands, as metrics. Hears on the run's thread, which waits for nothing but a copy, and
 * is read from any other.
 */
public final class RunMetrics implements RunListener, MultiCollector {
    private static final double NS_PER_S = 1e9;

    private final Labels run;
    private final TrialMetrics trial;
    private final Map<String, Long> rowsByVerdict = new TreeMap<>();
    private final Map<Labels, Long> lost = new LinkedHashMap<>();
    private int trials;
    private LiveTick last;

    /**
     * Metrics of a run that has not begun.
     *
     * @param plan its name
     * @param version of tickmark
     */
    public RunMetrics(final String plan, final String version) {
        this(plan, version, SystemEpochClock.INSTANCE);
    }

    RunMetrics(final String plan, final String version, final EpochClock clock) {
        trial = new TrialMetrics(clock);
        run = Labels.of("plan", plan, "version", version);
        Stream.of(Verdict.values()).forEach(verdict -> rowsByVerdict.put(word(verdict), 0L));
    }

    @Override
    public synchronized void runStarted(final RunEstimate estimate) {
        trials = estimate.trials();
    }

    @Override
    public synchronized void ticked(final LiveTick tick) {
        last = tick;
        lost.putIfAbsent(TrialMetrics.labels(tick), 0L);
        trial.add(tick);
    }

    @Override
    public synchronized void rowFinished(final TrialResult row) {
        rowsByVerdict.merge(word(row.verdict()), 1L, Long::sum);
        lost.merge(
                Labels.of("test", row.test(), "channel", row.channel()),
                row.lostOnTheWay(),
                Long::sum);
    }

    private static String word(final Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public synchronized MetricSnapshots collect() {
        final MetricSnapshots.Builder all = MetricSnapshots.builder();
        all.metricSnapshot(
                InfoSnapshot.builder()
                        .name("tickmark_run")
                        .help("The run: its plan, the version of tickmark.")
                        .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder().labels(run).build())
                        .build());
        all.metricSnapshot(gauge("tickmark_trials", "Trials of the run.", trials));
        final CounterSnapshot.Builder rows =
                CounterSnapshot.builder()
                        .name("tickmark_rows")
                        .help("Rows of the result that are final, by verdict.");
        rowsByVerdict.forEach((verdict, count) ->
                rows.dataPoint(Points.count(Labels.of("verdict", verdict), count)));
        all.metricSnapshot(rows.build());
        final CounterSnapshot.Builder missed =
                CounterSnapshot.builder()
                        .name("tickmark_lost_messages")
                        .help(
                                "Messages lost for good and not on purpose, of the rows that are final.");
        lost.forEach((labels, count) -> missed.dataPoint(Points.count(labels, count)));
        all.metricSnapshot(missed.build());
        if (last != null) {
            ofTick(all);
        }
        return all.build();
    }

    private void ofTick(final MetricSnapshots.Builder all) {
        all.metricSnapshot(
                gauge("tickmark_trial_number", "The trial that runs, from 1.", last.number()));
        all.metricSnapshot(
                GaugeSnapshot.builder()
                        .name("tickmark_trial_phase")
                        .help("1 for the phase that the trial is in.")
                        .dataPoint(
                                GaugeDataPointSnapshot.builder()
                                        .labels(
                                                TrialMetrics.labels(last)
                                                        .add("workload", last.workload())
                                                        .add(
                                                                "repeat",
                                                                Integer.toString(last.repeat()))
                                                        .add("phase", last.phase()))
                                        .value(1)
                                        .build())
                        .build());
        if (last.noiseMaxNs() != null) {
            all.metricSnapshot(
                    gauge(
                            "tickmark_noise_max_seconds",
                            "Longest gap in the noise floor that was measured last.",
                            last.noiseMaxNs() / NS_PER_S));
        }
        trial.collect(all);
    }

    private static GaugeSnapshot gauge(final String name, final String help, final double value) {
        return GaugeSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                .build();
    }
}
