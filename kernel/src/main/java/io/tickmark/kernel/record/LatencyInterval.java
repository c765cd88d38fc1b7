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
    private static final double P50 = 0.5;
    private static final double P99 = 0.99;
    private static final double P999 = 0.999;

    /** Checks what may have come from another process. */
    public LatencyInterval {
        if (count < 1
                || buckets.entrySet().stream()
                        .anyMatch(each ->
                                each.getKey() < 0
                                        || each.getKey() > LatencyBuckets.LAST
                                        || each.getValue() == null
                                        || each.getValue() < 1)) {
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
                histogram.getValueAtPercentile(100 * P50),
                histogram.getValueAtPercentile(100 * P99),
                histogram.getValueAtPercentile(100 * P999),
                histogram.getMaxValue(),
                buckets);
    }

    /**
     * Both together. Counts, sum and maximum are exact; percentiles are bounds of buckets then, at
     * most 10 % above what they would be.
     *
     * @param other of the same kind
     * @return the sum
     */
    public LatencyInterval plus(final LatencyInterval other) {
        final Map<Integer, Long> both = new TreeMap<>(buckets);
        other.buckets.forEach((bucket, more) -> both.merge(bucket, more, Long::sum));
        final long all = count + other.count;
        final long max = Math.max(maxNs, other.maxNs);
        return new LatencyInterval(
                all,
                sumNs + other.sumNs,
                quantile(both, all, P50, max),
                quantile(both, all, P99, max),
                quantile(both, all, P999, max),
                max,
                both);
    }

    /**
     * The same figures, which cannot be added up any more.
     *
     * @return without buckets
     */
    public LatencyInterval withoutBuckets() {
        return new LatencyInterval(count, sumNs, p50Ns, p99Ns, p999Ns, maxNs, Map.of());
    }

    private static long quantile(
            final Map<Integer, Long> buckets, final long count, final double part, final long max) {
        long left = (long) Math.ceil(count * part);
        for (final Map.Entry<Integer, Long> bucket : buckets.entrySet()) {
            left -= bucket.getValue();
            if (left <= 0) {
                return Math.min(LatencyBuckets.upperNs(bucket.getKey()), max);
            }
        }
        return max;
    }
}
