package io.tickmark.kernel.result;

import org.HdrHistogram.AbstractHistogram;

/**
 * A latency distribution in figures, all in ns; percentiles are the histogram's (3 significant
 * digits).
 *
 * @param count values
 * @param min smallest
 * @param mean arithmetic mean
 * @param stdev standard deviation of the population
 * @param p50 median
 * @param p90 90th percentile
 * @param p99 99th percentile
 * @param p999 99.9th percentile
 * @param p9999 99.99th percentile
 * @param max largest
 */
public record LatencySummary(
        long count,
        long min,
        double mean,
        double stdev,
        long p50,
        long p90,
        long p99,
        long p999,
        long p9999,
        long max) {

    /**
     * Summary of a histogram.
     *
     * @param histogram in ns, with at least one value
     * @return its figures
     */
    public static LatencySummary of(final AbstractHistogram histogram) {
        return new LatencySummary(
                histogram.getTotalCount(),
                histogram.getMinValue(),
                histogram.getMean(),
                histogram.getStdDeviation(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getValueAtPercentile(99.99),
                histogram.getMaxValue());
    }
}
