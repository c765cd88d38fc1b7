package io.tickmark.kernel.record;

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
 * @param buckets how many latencies are in which bucket, as text for {@link #forEachBucket}; empty
 *     where that is not told
 */
public record LatencyInterval(
        long count, long sumNs, long p50Ns, long p99Ns, long p999Ns, long maxNs, String buckets) {
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    /** Checks what may have come from another process. */
    public LatencyInterval {
        if (count < 1) {
            throw new IllegalArgumentException("no interval of latencies");
        }
        final BucketText text = new BucketText(buckets);
        while (text.advance()) {
            // each must be sound
        }
    }

    /** Takes a bucket. */
    @FunctionalInterface
    public interface BucketConsumer {
        /**
         * A bucket that holds something.
         *
         * @param bucket its number in {@link LatencyBuckets}
         * @param count of latencies in it, at least 1
         */
        void accept(int bucket, long count);
    }

    /**
     * Goes through the buckets that hold something, ascending.
     *
     * @param consumer of each
     */
    public void forEachBucket(final BucketConsumer consumer) {
        final BucketText text = new BucketText(buckets);
        while (text.advance()) {
            consumer.accept(text.bucket(), text.count());
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
                BucketText.of(counts));
    }

    /**
     * The same figures, which cannot be added up any more.
     *
     * @return without buckets
     */
    public LatencyInterval withoutBuckets() {
        return new LatencyInterval(count, sumNs, p50Ns, p99Ns, p999Ns, maxNs, "");
    }
}
