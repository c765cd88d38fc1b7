package io.tickmark.kernel.record;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies of about a second, small enough to be told: figures, and counts in {@link
 * LatencyBuckets}.
 *
 * @param count of latencies, at least 1
 * @param sumNs of all, ns
 * @param p50Ns median, ns
 * @param p99Ns 99th percentile, ns
 * @param p999Ns 99.9th percentile, ns
 * @param maxNs largest, ns
 * @param buckets counts by number of the bucket; empty ones are left out
 */
public record LatencyInterval(
        long count,
        long sumNs,
        long p50Ns,
        long p99Ns,
        long p999Ns,
        long maxNs,
        Map<Integer, Long> buckets) {
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    /** Checks what may have come from another process. */
    public LatencyInterval {
        boolean isSound = count >= 1;
        for (final Map.Entry<Integer, Long> each : buckets.entrySet()) {
            isSound &=
                    each.getKey() >= 0
                            && each.getKey() <= LatencyBuckets.LAST
                            && each.getValue() != null
                            && each.getValue() >= 1;
        }
        if (!isSound) {
            throw new IllegalArgumentException("no interval of latencies");
        }
    }

    /**
     * Figures of a histogram; exact to its three digits.
     *
     * @param histogram in ns, with at least one value
     * @return the figures
     */
    public static LatencyInterval of(final Histogram histogram) {
        final Map<Integer, Long> buckets = new TreeMap<>();
        for (final HistogramIterationValue value : histogram.recordedValues()) {
            buckets.merge(
                    LatencyBuckets.of(value.getValueIteratedTo()),
                    value.getCountAddedInThisIterationStep(),
                    Long::sum);
        }
        return new LatencyInterval(
                histogram.getTotalCount(),
                Math.round(histogram.getMean() * histogram.getTotalCount()),
                histogram.getValueAtPercentile(P50),
                histogram.getValueAtPercentile(P99),
                histogram.getValueAtPercentile(P999),
                histogram.getMaxValue(),
                buckets);
    }

    /**
     * The same figures, which cannot be added up any more.
     *
     * @return without buckets
     */
    public LatencyInterval withoutBuckets() {
        return new LatencyInterval(count, sumNs, p50Ns, p99Ns, p999Ns, maxNs, Map.of());
    }
}
