package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Percentiles;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Adds up the intervals of many roles in the memory that one takes. Counts, sum and maximum are
 * exact; percentiles of more than one interval are bounds of buckets, at most 10 % above what they
 * would be. Single-threaded.
 */
public final class LatencySum {
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;

    private final long[] buckets = new long[LatencyBuckets.LAST + 1];
    private LatencyInterval only;
    private long count;
    private long sumNs;
    private long maxNs;

    /** Nothing added yet. */
    public LatencySum() {}

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
