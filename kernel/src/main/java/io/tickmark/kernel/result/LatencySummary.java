package io.tickmark.kernel.result;

import java.util.OptionalLong;
import org.HdrHistogram.AbstractHistogram;

/**
 * A latency distribution in figures, all in ns; percentiles are the histogram's (3 significant
 * digits). A percentile with fewer than ten values above it is absent, whatever its source ({@link
 * Percentiles}).
 *
 * @param count values
 * @param min smallest
 * @param mean arithmetic mean
 * @param stdev standard deviation of the population
 * @param p50 median; absent below 20 values
 * @param p90 90th percentile; absent below 100 values
 * @param p95 95th percentile; absent below 200 values
 * @param p99 99th percentile; absent below 1,000 values
 * @param p999 99.9th percentile; absent below 10,000 values
 * @param p9999 99.99th percentile; absent below 100,000 values
 * @param max largest
 */
public record LatencySummary(
        long count,
        long min,
        double mean,
        double stdev,
        OptionalLong p50,
        OptionalLong p90,
        OptionalLong p95,
        OptionalLong p99,
        OptionalLong p999,
        OptionalLong p9999,
        long max) {
    private static final double P50 = 50;
    private static final double P90 = 90;
    private static final double P95 = 95;
    private static final double P99 = 99;
    private static final double P999 = 99.9;
    private static final double P9999 = 99.99;

    /** Omits percentiles for which there are too few values. */
    public LatencySummary {
        p50 = Percentiles.reportable(p50, count, P50);
        p90 = Percentiles.reportable(p90, count, P90);
        p95 = Percentiles.reportable(p95, count, P95);
        p99 = Percentiles.reportable(p99, count, P99);
        p999 = Percentiles.reportable(p999, count, P999);
        p9999 = Percentiles.reportable(p9999, count, P9999);
    }

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
                Percentiles.of(histogram, P50),
                Percentiles.of(histogram, P90),
                Percentiles.of(histogram, P95),
                Percentiles.of(histogram, P99),
                Percentiles.of(histogram, P999),
                Percentiles.of(histogram, P9999),
                histogram.getMaxValue());
    }
}
