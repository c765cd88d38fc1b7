package io.tickmark.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.tickmark.kernel.record.LatencyBuckets;
import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.control.RunListener;
import io.tickmark.lab.live.LiveTick;
import io.tickmark.lab.live.LiveTick.LiveRole;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;

/**
 * The state of a run, as metrics. Updated on the run's thread, which waits for nothing but a copy,
 * and is read from any other.
 */
public final class RunMetrics implements RunListener, MultiCollector {
    private static final Map<String, String> STALLED_PARTS =
            Map.of(
                    Counts.STALLED_WAITING_NS, "waiting",
                    Counts.STALLED_OFF_CORE_NS, "off_core",
                    Counts.STALLED_ON_CORE_NS, "on_core");

    private static final double NS_PER_S = 1e9;
    private static final double SLOWEST = 99;
    private static final List<String> OWNERS =
            List.of(
                    TailSummary.MACHINE,
                    TailSummary.SYSTEM,
                    TailSummary.BENCH,
                    TailSummary.UNKNOWN);

    private final Labels run;
    private final TrialMetrics trial;
    private final Map<String, Long> rowsByVerdict = new TreeMap<>();
    private final Map<Labels, Long> lost = new LinkedHashMap<>();

    /** Of the rows that became final last, by their test, channel and step. */
    private final Map<Labels, TailSummary> tails = new LinkedHashMap<>();

    private long disturbedRows;
    private long perhapsTakenRows;
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
        perhapsTakenRows +=
                row.labels().contains(io.tickmark.lab.verdict.Labels.PERHAPS_TAKEN) ? 1 : 0;
        if (row.tail() != null) {
            disturbedRows += row.tail().machineDisturbed() ? 1 : 0;
            tails.put(
                    Labels.of("test", row.test(), "channel", row.channel(), "step", row.label()),
                    row.tail());
        }
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
        ofTails(all);
        if (last != null) {
            ofTick(all);
        }
        return all.build();
    }

    private void ofTails(final MetricSnapshots.Builder all) {
        all.metricSnapshot(
                CounterSnapshot.builder()
                        .name("tickmark_disturbed_rows")
                        .help(
                                "Final rows in which the machine caused more than a tenth of the tail.")
                        .dataPoint(Points.count(Labels.EMPTY, disturbedRows))
                        .build());
        all.metricSnapshot(
                CounterSnapshot.builder()
                        .name("tickmark_perhaps_taken_rows")
                        .help(
                                "Final rows in which another task perhaps had a core of the test for too long.")
                        .dataPoint(Points.count(Labels.EMPTY, perhapsTakenRows))
                        .build());
        final GaugeSnapshot.Builder parts =
                GaugeSnapshot.builder()
                        .name("tickmark_tail_part")
                        .help(
                                "Share of each owner (0 to 1) in the latency above the median, for the slowest 1 % of"
                                        + " the last row.");
        final GaugeSnapshot.Builder undisturbed =
                GaugeSnapshot.builder()
                        .name("tickmark_undisturbed_latency_seconds")
                        .help(
                                "Latency of the messages that the machine did not disturb, of the last row.");
        final GaugeSnapshot.Builder leftOut =
                GaugeSnapshot.builder()
                        .name("tickmark_undisturbed_left_out_part")
                        .help(
                                "Fraction (0 to 1) of the messages of the last row that the undisturbed latencies leave out,"
                                        + " or would if they were not refused.");
        tails.forEach((labels, tail) -> {
            if (tail.whyNotAttributed().isEmpty()) {
                leftOut.dataPoint(Points.now(labels, tail.undisturbed().leftOutPart()));
            }
            final List<TailSummary.Band> slow =
                    tail.bands().stream().filter(band -> band.fromPercentile() >= SLOWEST).toList();
            final double allNs = slow.stream().mapToLong(TailSummary.Band::aboveMedianNs).sum();
            if (allNs > 0) {
                OWNERS.forEach(owner ->
                        parts.dataPoint(
                                Points.now(
                                        labels.add("owner", owner),
                                        slow.stream().mapToLong(band -> band.ns(owner)).sum()
                                                / allNs)));
                parts.dataPoint(
                        Points.now(
                                labels.add("owner", "rest"),
                                slow.stream().mapToLong(TailSummary.Band::restNs).sum() / allNs));
            }
            if (tail.undisturbed().latency() != null) {
                final LatencySummary latency = tail.undisturbed().latency();
                latency.p50().ifPresent(ns -> TrialMetrics.figure(undisturbed, labels, "p50", ns));
                latency.p99().ifPresent(ns -> TrialMetrics.figure(undisturbed, labels, "p99", ns));
                latency.p999()
                        .ifPresent(ns -> TrialMetrics.figure(undisturbed, labels, "p999", ns));
            }
        });
        all.metricSnapshot(parts.build());
        all.metricSnapshot(undisturbed.build());
        all.metricSnapshot(leftOut.build());
    }

    private void ofTick(final MetricSnapshots.Builder all) {
        all.metricSnapshot(
                gauge(
                        "tickmark_trial_number",
                        "Number of the current trial, from 1.",
                        last.number()));
        all.metricSnapshot(
                GaugeSnapshot.builder()
                        .name("tickmark_trial_phase")
                        .help("1 for the current phase, with its labels.")
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

    /** The roles of the trial that runs; its owner keeps threads apart. */
    private static final class TrialMetrics {
        private static final double NS_PER_S = 1e9;

        /** Roles tell a line a second: what was so longer ago is not of the last second. */
        private static final double FRESH_S = 2;

        /** Latencies of the trial so far, by their labels. */
        private final Map<Labels, LatencyTotal> totals = new LinkedHashMap<>();

        private final Map<Labels, Recent> intervals = new LinkedHashMap<>();
        private final EpochClock clock;

        /** Counts of each role as last reported. */
        private final Map<String, Map<String, Long>> counted = new HashMap<>();

        /** When they began, ms since 1970. */
        private final Map<String, Long> countsStartedMs = new HashMap<>();

        /** When the latencies began, ms since 1970. */
        private long startedMs;

        private LiveTick last;

        /** A second's latencies, and when they were reported, in seconds of the run. */
        private record Recent(LatencyInterval interval, double seconds) {}

        TrialMetrics(final EpochClock clock) {
            this.clock = clock;
        }

        static Labels labels(final LiveTick tick) {
            return Labels.of("test", tick.test(), "channel", tick.channel());
        }

        private static Labels labels(final LiveTick tick, final LiveRole role) {
            return labels(tick).add("role", role.role());
        }

        void add(final LiveTick tick) {
            if (last == null || tick.roles().isEmpty()) {
                totals.clear(); // another trial
                intervals.clear();
                counted.clear();
                startedMs = clock.time();
            }
            last = tick;
            intervals.values().removeIf(interval -> tick.seconds() - interval.seconds() > FRESH_S);
            for (final LiveRole role : tick.roles()) {
                time(role);
                role.latencies()
                        .forEach((name, interval) -> {
                            final Labels labels =
                                    labels(tick, role).add("latency", withoutUnit(name));
                            intervals.put(labels, new Recent(interval, tick.seconds()));
                            totals.computeIfAbsent(labels, _ -> new LatencyTotal()).add(interval);
                        });
            }
        }

        /** Counts begin with the trial, and again where they fell: a warm-up is not counted. */
        private void time(final LiveRole role) {
            final Map<String, Long> before = counted.put(role.role(), role.counts());
            if (before == null) {
                countsStartedMs.put(role.role(), startedMs);
            } else if (before.entrySet().stream()
                    .anyMatch(count ->
                            role.counts().getOrDefault(count.getKey(), 0L) < count.getValue())) {
                countsStartedMs.put(role.role(), clock.time());
            }
        }

        /** The unit is in the metric's name, and another one. */
        private static String withoutUnit(final String name) {
            return name.endsWith("Ns") ? name.substring(0, name.length() - 2) : name;
        }

        void collect(final MetricSnapshots.Builder all) {
            final CounterSnapshot.Builder counts =
                    CounterSnapshot.builder()
                            .name("tickmark_messages")
                            .help(
                                    "Messages in the current trial, summed over all instances of a role.");
            final GaugeSnapshot.Builder rates =
                    gauge("tickmark_messages_per_second", "The same in the last second.");
            final GaugeSnapshot.Builder instances =
                    gauge(
                            "tickmark_role_instances",
                            "Roles of that name that have reported a line.");
            final GaugeSnapshot.Builder lags =
                    gauge("tickmark_lag_seconds", "How far the sender is behind its schedule.");
            final GaugeSnapshot.Builder stalls =
                    gauge(
                            "tickmark_stalled_seconds",
                            "Longest time for which a watched thread was stalled in the last second.");
            final GaugeSnapshot.Builder kinds =
                    gauge(
                            "tickmark_stalled_part_seconds",
                            "The same by what that thread did: it waited for a core, was off it, or on it.");
            for (final LiveRole role : last.roles()) {
                final Labels labels = labels(last, role);
                final long countedFromMs = countsStartedMs.get(role.role());
                instances.dataPoint(Points.now(labels, role.instances()));
                role.counts()
                        .forEach((name, count) ->
                                counts.dataPoint(
                                        Points.count(
                                                labels.add("count", name), count, countedFromMs)));
                role.perSecond()
                        .forEach((name, rate) ->
                                rates.dataPoint(Points.now(labels.add("count", name), rate)));
                final Long lagNs = role.gauges().get(Counts.LAG_NS);
                if (lagNs != null) {
                    lags.dataPoint(Points.now(labels, lagNs / NS_PER_S));
                }
                final Long stalledNs = role.gauges().get(Counts.STALLED_NS);
                if (stalledNs != null) {
                    stalls.dataPoint(Points.now(labels, stalledNs / NS_PER_S));
                }
                STALLED_PARTS.forEach((name, part) -> {
                    final Long ns = role.gauges().get(name);
                    if (ns != null) {
                        kinds.dataPoint(Points.now(labels.add("part", part), ns / NS_PER_S));
                    }
                });
            }
            all.metricSnapshot(counts.build());
            all.metricSnapshot(rates.build());
            all.metricSnapshot(instances.build());
            all.metricSnapshot(lags.build());
            all.metricSnapshot(stalls.build());
            all.metricSnapshot(kinds.build());
            missing(all);
            latencies(all);
        }

        private void missing(final MetricSnapshots.Builder all) {
            final GaugeSnapshot.Builder missing =
                    gauge(
                            "tickmark_missing_messages",
                            "Messages sent and not received so far: in flight, or lost.");
            if (last.missing() != null) {
                missing.dataPoint(Points.now(labels(last), last.missing()));
            }
            all.metricSnapshot(missing.build());
        }

        private void latencies(final MetricSnapshots.Builder all) {
            final HistogramSnapshot.Builder histograms =
                    HistogramSnapshot.builder()
                            .name("tickmark_latency_seconds")
                            .help("Latencies of the trial that runs.");
            totals.forEach((labels, total) -> histograms.dataPoint(total.point(labels, startedMs)));
            all.metricSnapshot(histograms.build());
            final GaugeSnapshot.Builder now =
                    gauge(
                            "tickmark_interval_latency_seconds",
                            "Latencies of the last second: figures of their distribution.");
            intervals.forEach((labels, recent) -> {
                final LatencyInterval interval = recent.interval();
                interval.p50Ns().ifPresent(ns -> figure(now, labels, "p50", ns));
                interval.p99Ns().ifPresent(ns -> figure(now, labels, "p99", ns));
                interval.p999Ns().ifPresent(ns -> figure(now, labels, "p999", ns));
                figure(now, labels, "max", interval.maxNs());
            });
            all.metricSnapshot(now.build());
        }

        private static void figure(
                final GaugeSnapshot.Builder gauge,
                final Labels labels,
                final String figure,
                final long ns) {
            gauge.dataPoint(Points.now(labels.add("figure", figure), ns / NS_PER_S));
        }

        private static GaugeSnapshot.Builder gauge(final String name, final String help) {
            return GaugeSnapshot.builder().name(name).help(help);
        }

        /**
         * Latencies added up in the buckets of a Prometheus histogram: 1, 2 and 5 of each power of
         * ten, from 100 ns to 10 s. These are bounds of {@link LatencyBuckets}, so nothing is
         * counted on the wrong side.
         */
        private static final class LatencyTotal {
            private static final double NS_PER_S = 1e9;
            private static final long FIRST_NS = 100;
            private static final long LAST_NS = 10_000_000_000L;
            private static final long[] BOUNDS_NS = boundsNs();

            private final long[] counts = new long[BOUNDS_NS.length + 1];
            private double sumNs;

            private static long[] boundsNs() {
                final long[] bounds = new long[25];
                int next = 0;
                for (long decade = FIRST_NS; decade < LAST_NS; decade *= 10) {
                    bounds[next++] = decade;
                    bounds[next++] = 2 * decade;
                    bounds[next++] = 5 * decade;
                }
                bounds[next] = LAST_NS;
                return bounds;
            }

            void add(final LatencyInterval interval) {
                sumNs += interval.sumNs();
                interval.forEachBucket((bucket, count) -> {
                    final int found =
                            Arrays.binarySearch(BOUNDS_NS, LatencyBuckets.upperNs(bucket));
                    counts[found < 0 ? -found - 1 : found] += count;
                });
            }

            HistogramDataPointSnapshot point(final Labels labels, final long startedMs) {
                final double[] bounds = new double[counts.length];
                for (int i = 0; i < BOUNDS_NS.length; i++) {
                    bounds[i] = BOUNDS_NS[i] / NS_PER_S;
                }
                bounds[BOUNDS_NS.length] = Double.POSITIVE_INFINITY;
                return HistogramDataPointSnapshot.builder()
                        .labels(labels)
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts))
                        .sum(sumNs / NS_PER_S)
                        .createdTimestampMillis(startedMs)
                        .build();
            }
        }
    }

    /** Values with their labels. */
    static final class Points {
        private Points() {}

        static CounterDataPointSnapshot count(final Labels labels, final double value) {
            return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
        }

        /** A count with its own start time instead of that of the run: ms since 1970. */
        static CounterDataPointSnapshot count(
                final Labels labels, final double value, final long startedMs) {
            return CounterDataPointSnapshot.builder()
                    .labels(labels)
                    .value(value)
                    .createdTimestampMillis(startedMs)
                    .build();
        }

        static GaugeDataPointSnapshot now(final Labels labels, final double value) {
            return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
        }
    }
}
