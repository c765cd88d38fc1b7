package io.tickmark.history;

import java.util.List;

/**
 * A figure of a run.
 *
 * @param run its id
 * @param startedAt of the run
 * @param series what it is a figure of
 * @param value median over the repeats
 */
public record HistoryPoint(String run, String startedAt, Series series, double value) {
    /**
     * The scale on which points are held against each other, where ratios are distances.
     *
     * @param points of a series
     * @return natural logarithms; 0 for what has none
     */
    public static double[] logs(final List<HistoryPoint> points) {
        return points.stream()
                .mapToDouble(point -> point.value() > 0 ? Math.log(point.value()) : 0)
                .toArray();
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
            String figure) {}
}
