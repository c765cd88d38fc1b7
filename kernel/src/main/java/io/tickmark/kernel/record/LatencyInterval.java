package io.tickmark.kernel.record;

import java.util.Arrays;
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
 * @param buckets number of a bucket and its count, in turn and ascending; empty ones are left out.
 *     Plain numbers, because a controller reads hundreds of them a second from each of a thousand
 *     roles. Not to be changed
 */
public record LatencyInterval(
        long count, long sumNs, long p50Ns, long p99Ns, long p999Ns, long maxNs, long[] buckets) {
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    /** Checks what may have come from another process. */
    public LatencyInterval {
        boolean isSound = count >= 1 && buckets.length % 2 == 0;
        long before = -1;
        for (int i = 0; isSound && i < buckets.length; i += 2) {
            isSound =
                    buckets[i] > before && buckets[i] <= LatencyBuckets.LAST && buckets[i + 1] >= 1;
            before = buckets[i];
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
        final long[] counts = new long[LatencyBuckets.LAST + 1];
        for (final HistogramIterationValue value : histogram.recordedValues()) {
            counts[LatencyBuckets.of(value.getValueIteratedTo())] +=
                    value.getCountAddedInThisIterationStep();
        }
        return new LatencyInterval(
                histogram.getTotalCount(),
                Math.round(histogram.getMean() * histogram.getTotalCount()),
                histogram.getValueAtPercentile(P50),
                histogram.getValueAtPercentile(P99),
                histogram.getValueAtPercentile(P999),
                histogram.getMaxValue(),
                filled(counts));
    }

    /** Those that hold something, each with its count. */
    static long[] filled(final long[] counts) {
        final long[] pairs = new long[2 * counts.length];
        int length = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            if (counts[bucket] > 0) {
                pairs[length++] = bucket;
                pairs[length++] = counts[bucket];
            }
        }
        return Arrays.copyOf(pairs, length);
    }

    /**
     * The same figures, which cannot be added up any more.
     *
     * @return without buckets
     */
    public LatencyInterval withoutBuckets() {
        return new LatencyInterval(count, sumNs, p50Ns, p99Ns, p999Ns, maxNs, new long[0]);
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof final LatencyInterval that
                && count == that.count
                && sumNs == that.sumNs
                && p50Ns == that.p50Ns
                && p99Ns == that.p99Ns
                && p999Ns == that.p999Ns
                && maxNs == that.maxNs
                && Arrays.equals(buckets, that.buckets);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(sumNs) + Arrays.hashCode(buckets);
    }
}
