package io.tickmark.lab.compare;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Takes the figures of a row as samples, one value for each repeat. */
final class Samples {
    /** Name of the figure that is a rate: of what arrived, or came back. */
    static final String RATE = "ratePerSecond";

    /** Latency of messages that the machine did not delay. */
    static final String UNDISTURBED = "undisturbedNs";

    /** The same seed gives the same figures. */
    private static final long SEED = 0x7469636b6d61726bL;

    /** Half of the step of a histogram of three digits, at its coarsest. */
    static final double HISTOGRAM_STEP = 1.0 / 1024;

    private static final double NS_STEP = 1;

    /** Rates are derived from counts and two clock reads, exact to a few parts in ten thousand. */
    private static final double RATE_STEP = 0.0005;

    private final BlockSource blocks;

    Samples(final BlockSource blocks) {
        this.blocks = blocks;
    }

    /** By name of the figure; only those that every repeat has. */
    Map<String, Sample> of(final SideRow row) {
        final Map<String, Sample> samples = new LinkedHashMap<>();
        for (final String latency : row.any().latencies().keySet()) {
            if (row.repeats().stream().allMatch(trial -> trial.latencies().containsKey(latency))) {
                add(samples, row, latency);
            }
        }
        addRate(samples, row);
        return samples;
    }

    /** The same with undisturbed latencies, which every repeat must have, in place of others. */
    Map<String, Sample> undisturbed(final SideRow row) {
        final Map<String, Sample> samples = new LinkedHashMap<>();
        final List<LatencySummary> summaries =
                row.repeats().stream().map(trial -> trial.tail().undisturbed().latency()).toList();
        final List<LatencyFigure> figures = reportable(summaries);
        add(samples, UNDISTURBED, summaries, figures, new double[figures.size()]);
        addRate(samples, row);
        return samples;
    }

    /** Only the rate. */
    Map<String, Sample> rate(final SideRow row) {
        final Map<String, Sample> samples = new LinkedHashMap<>();
        addRate(samples, row);
        return samples;
    }

    private static void addRate(final Map<String, Sample> samples, final SideRow row) {
        if (row.repeats().stream().allMatch(trial -> trial.arrivedRatePerSecond() > 0)) {
            samples.put(
                    RATE,
                    new Sample(
                            row.repeats().stream()
                                    .mapToDouble(trial -> Math.log(trial.arrivedRatePerSecond()))
                                    .toArray(),
                            0,
                            RATE_STEP));
        }
    }

    private void add(final Map<String, Sample> samples, final SideRow row, final String latency) {
        final List<LatencySummary> summaries =
                row.repeats().stream().map(trial -> trial.latencies().get(latency)).toList();
        final List<LatencyFigure> figures = reportable(summaries);
        add(samples, latency, summaries, figures, within(row, latency, figures));
    }

    private static List<LatencyFigure> reportable(final List<LatencySummary> summaries) {
        return LatencyFigure.ALL.stream()
                .filter(figure ->
                        summaries.stream()
                                .allMatch(summary ->
                                        figure.isIn(summary.count())
                                                && figure.summary().applyAsDouble(summary) > 0))
                .toList();
    }

    private static void add(
            final Map<String, Sample> samples,
            final String latency,
            final List<LatencySummary> summaries,
            final List<LatencyFigure> figures,
            final double[] within) {
        for (int i = 0; i < figures.size(); i++) {
            final LatencyFigure figure = figures.get(i);
            final double[] logs =
                    summaries.stream()
                            .mapToDouble(
                                    summary -> Math.log(figure.summary().applyAsDouble(summary)))
                            .toArray();
            final double smallest = Math.exp(Arrays.stream(logs).min().orElse(0));
            samples.put(
                    latency + "." + figure.name(),
                    new Sample(logs, within[i], Math.max(HISTOGRAM_STEP, NS_STEP / smallest)));
        }
    }

    /** Mean over the repeats of the variance that the bootstrap estimates for each. */
    private double[] within(
            final SideRow row, final String latency, final List<LatencyFigure> figures) {
        final SplittableRandom random = new SplittableRandom(SEED + row.key().hashCode());
        final List<double[]> each = new ArrayList<>();
        for (final TrialResult trial : row.repeats()) {
            final BlockBootstrap intervals = blocks.bootstrap(row, trial, latency);
            if (intervals.isEnough()) {
                each.add(intervals.variances(figures, random));
            }
        }
        final double[] mean = new double[figures.size()];
        for (int i = 0; i < mean.length; i++) {
            final int at = i;
            mean[i] = each.stream().mapToDouble(variances -> variances[at]).average().orElse(0);
        }
        return mean;
    }

    /** The source of the intervals of a run's repeats. */
    interface BlockSource {
        /** Of the intervals of one latency in one repeat of a row, which may be none. */
        BlockBootstrap bootstrap(SideRow row, TrialResult trial, String latency);

        /**
         * Files that could not be read so far, sentences; their content is missing in the
         * intervals.
         */
        default List<String> problems() {
            return List.of();
        }
    }
}
