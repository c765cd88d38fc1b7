package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Percentiles;
import java.nio.charset.StandardCharsets;
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
     * exact; percentiles of more than one interval are bounds of buckets, at most 10 % above what
     * they would be. Single-threaded.
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

    /**
     * Counts in {@link LatencyBuckets} as text that is short and quick to read, because a
     * controller reads hundreds of them a second from each of a thousand roles. For each bucket
     * that is not empty, ascending: its distance from the one before (from -1), and its count, both
     * at least 1 and as base64 VLQ without a sign: five bits for each character of the base64
     * alphabet (RFC 4648, section 4), the lowest first, 32 added where more follow.
     */
    static final class BucketText {
        private static final String DIGITS =
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        private static final int BITS = 5;
        private static final int MORE = 1 << BITS;
        private static final int MOST_SHIFT = 60;
        private static final byte[] VALUES = new byte[256];

        static {
            for (int i = 0; i < VALUES.length; i++) {
                VALUES[i] = (byte) DIGITS.indexOf(i);
            }
        }

        private final byte[] text;
        private int next;
        private int bucket = -1;
        private long count;

        /**
         * Reads a text.
         *
         * @param text of counts
         */
        BucketText(final String text) {
            this.text =
                    text.getBytes(StandardCharsets.ISO_8859_1); // other characters are not digits
        }

        /**
         * Counts as text.
         *
         * @param counts by number of bucket
         * @return empty where all are 0
         */
        static String of(final long[] counts) {
            final StringBuilder text = new StringBuilder();
            int before = -1;
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    append(text, i - before);
                    append(text, counts[i]);
                    before = i;
                }
            }
            return text.toString();
        }

        private static void append(final StringBuilder text, final long number) {
            long left = number;
            while (left >= MORE) {
                text.append(DIGITS.charAt((int) (left & MORE - 1 | MORE)));
                left >>>= BITS;
            }
            text.append(DIGITS.charAt((int) left));
        }

        /**
         * Goes to the next bucket.
         *
         * @return false where there is none
         * @throws IllegalArgumentException if the text does not have this format
         */
        boolean advance() {
            if (next == text.length) {
                return false;
            }
            final long far = number();
            count = number();
            if (far > LatencyBuckets.LAST - bucket) {
                throw new IllegalArgumentException("no such bucket");
            }
            bucket += (int) far;
            return true;
        }

        /**
         * In local variables, because only the first compiler is active where many of these are
         * read.
         */
        private long number() {
            final byte[] digits = text;
            int at = next;
            long number = 0;
            for (int shift = 0; at < digits.length && shift < MOST_SHIFT; shift += BITS) {
                final int value = VALUES[digits[at++] & 0xFF];
                if (value < 0) {
                    break;
                }
                number |= (long) (value & MORE - 1) << shift;
                if (value < MORE) {
                    if (number == 0) {
                        break;
                    }
                    next = at;
                    return number;
                }
            }
            throw new IllegalArgumentException("no counts of buckets");
        }

        int bucket() {
            return bucket;
        }

        long count() {
            return count;
        }
    }
}
