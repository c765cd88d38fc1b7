package io.tickmark.history;

import java.util.Arrays;
import java.util.List;

/**
 * A figure of a run.
 *
 * @param run its id
 * @param startedAt of the run
 * @param series what it is a figure of
 * @param value median over the repeats; of what was lost or had no echo the sum
 */
public record HistoryPoint(String run, String startedAt, Series series, double value) {
    /** What one is of a count, a thousandth is of a part of the whole: little, and not nothing. */
    private static final double UNIT_OF_PARTS = 0.001;

    /**
     * The scale on which points are held against each other: ratios are distances, and zero is
     * below all others, however small.
     *
     * @param points of a series
     * @return natural logarithms of one more than each value, in units
     */
    public static double[] logs(final List<HistoryPoint> points) {
        return points.stream()
                .mapToDouble(point -> Math.log1p(Math.max(0, point.value()) / point.unit()))
                .toArray();
    }

    /**
     * The mean on the scale of {@link #logs}.
     *
     * @param points of a series, at least one
     * @return the value there; 0 where all are
     */
    public static double mean(final List<HistoryPoint> points) {
        return points.getFirst().unit()
                * Math.expm1(Arrays.stream(logs(points)).average().orElseThrow());
    }

    private double unit() {
        return series.figure().contains("Part") ? UNIT_OF_PARTS : 1;
    }

    /**
     * What is followed over runs.
     *
     * @param machine that led the runs: name, processor and cores as far as known, such as {@code
     *     lab-3 (AMD EPYC 9654, 2 cores)}; of a run that an earlier version entered the host's name
     * @param placement which roles ran on which other hosts; empty where all ran on that machine
     * @param idle how the hot threads waited; empty where all spun, or an earlier version did not
     *     enter it
     * @param test name of the test
     * @param channel as the plan has it
     * @param step number within a repeat
     * @param payloadBytes message length
     * @param figure as in {@code result.json}: {@code roundTripNs.p99}
     */
    public record Series(
            String machine,
            String placement,
            String idle,
            String test,
            String channel,
            int step,
            int payloadBytes,
            String figure) {
        /** Another figure of the same rows. */
        Series withFigure(final String other) {
            return new Series(machine, placement, idle, test, channel, step, payloadBytes, other);
        }
    }
}
