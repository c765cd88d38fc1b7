package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Percentiles;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies of about a second, small enough to be sent: figures, and counts in {@link
 * LatencyBuckets}.
 *
 * @param count of latencies, at least 1
 * @param sumNs of all, ns
 * @param p50Ns median, ns; absent with fewer than ten latencies above it ({@link Percentiles})
 * @param p99Ns 99th percentile, ns; absent likewise
 * @param p999Ns 99.9th percentile, ns; absent likewise
 * @param maxNs largest, ns
 * @param buckets how many latencies are in which bucket, as text for {@link #forEachBucket}; empty
 *     where they are not sent
 */
public record LatencyInterval(
        long count,
        long sumNs,
        OptionalLong p50Ns,
        OptionalLong p99Ns,
        OptionalLong p999Ns,
        long maxNs,
        String buckets) {
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    /** Checks the values, which may come from another process. */
    public LatencyInterval {
        if (count < 1) {
            throw new IllegalArgumentException("no interval of latencies");
        }
        final BucketText text = new BucketText(buckets);
        while (text.advance()) {
            // each must be valid
        }
    }

    /** Receives a bucket. */
    @FunctionalInterface
    public interface BucketConsumer {
        /**
         * A bucket that is not empty.
         *
         * @param bucket its number in {@link LatencyBuckets}
         * @param count of latencies in it, at least 1
         */
        void accept(int bucket, long count);
    }

    /**
     * Passes the buckets that are not empty to a consumer, ascending.
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
        double sumNs = 0;
        for (final HistogramIterationValue value : histogram.recordedValues()) {
            final long count = value.getCountAddedInThisIterationStep();
            counts[LatencyBuckets.of(value.getValueIteratedTo())] += count;
            // as the histogram's mean, which would look at all counts again
            sumNs += (double) histogram.medianEquivalentValue(value.getValueIteratedTo()) * count;
        }
        return new LatencyInterval(
                histogram.getTotalCount(),
                Math.round(sumNs),
                Percentiles.of(histogram, P50),
                Percentiles.of(histogram, P99),
                Percentiles.of(histogram, P999),
                histogram.getMaxValue(),
                BucketText.of(counts));
    }

    /**
     * The same figures without buckets, which can no longer be added up.
     *
     * @return without buckets
     */
    public LatencyInterval withoutBuckets() {
        return new LatencyInterval(count, sumNs, p50Ns, p99Ns, p999Ns, maxNs, "");
    }

    /**
     * Adds up the intervals of many roles in the memory that one takes. Counts, sum and maximum are
     * exact; percentiles of more than one interval are bounds of buckets, at most 10 % above what they
     * would be. Single-threaded.
     */
    public static final class Sum {
        private final long[] buckets = new long[LatencyBuckets.LAST + 1];
        private LatencyInterval only;
        private long count;
        private long sumNs;
        private long maxNs;

        /** Nothing added yet. */
        public Sum() {}

        /**
         * Adds an interval.
         *
         * @param interval with its buckets
         */
        public void add(final LatencyInterval interval) {
            only = count == 0 ? interval : null;
            count += interval.count();
            sumNs += interval.sumNs();
            maxNs = Math.max(maxNs, interval.maxNs());
            interval.forEachBucket((bucket, more) -> buckets[bucket] += more);
        }

        /**
         * What was added since the last call; the sum is then reset.
         *
         * @return the sum, empty where nothing was added
         */
        public Optional<LatencyInterval> take() {
            if (count == 0) {
                return Optional.empty();
            }
            final LatencyInterval taken = only == null ? sum() : only;
            Arrays.fill(buckets, 0);
            count = 0;
            sumNs = 0;
            maxNs = 0;
            return Optional.of(taken);
        }

        private LatencyInterval sum() {
            return new LatencyInterval(
                    count,
                    sumNs,
                    percentile(P50),
                    percentile(P99),
                    percentile(P999),
                    maxNs,
                    BucketText.of(buckets));
        }

        private OptionalLong percentile(final double percent) {
            return Percentiles.isReportable(count, percent)
                    ? OptionalLong.of(valueAt(percent / 100))
                    : OptionalLong.empty();
        }

        private long valueAt(final double part) {
            long left = (long) Math.ceil(count * part);
            for (int bucket = 0; bucket < buckets.length; bucket++) {
                left -= buckets[bucket];
                if (left <= 0) {
                    return Math.min(LatencyBuckets.upperNs(bucket), maxNs);
                }
            }
            return maxNs;
        }
    }
}
