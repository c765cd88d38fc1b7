package io.tickmark.kernel.record;

/**
 * Buckets of latencies that add up over roles: two decimal digits, 90 buckets for each power of
 * ten, so that 1 µs, 2 µs and 5 µs are bounds; a bucket is at most 10 % wide. The scheme is that of
 * H. Hartmann and T. Schlossnagle, "Circllhist", arXiv:2001.06561, with the bound on the upper side
 * as Prometheus expects it.
 */
public final class LatencyBuckets {
    /** Number of the last bucket, far beyond an hour. */
    public static final int LAST = 1_300;

    private static final int FEWEST = 10;
    private static final int A_DECADE = 90;

    private LatencyBuckets() {}

    /**
     * The bucket of a latency.
     *
     * @param ns above 0
     * @return its number, from 0
     */
    public static int of(final long ns) {
        long digits = Math.max(0, ns - 1);
        int bucket = 0;
        while (digits >= FEWEST * FEWEST) {
            digits /= FEWEST;
            bucket += A_DECADE;
        }
        return bucket + (int) digits;
    }

    /**
     * The largest latency of a bucket.
     *
     * @param bucket its number
     * @return ns
     */
    public static long upperNs(final int bucket) {
        if (bucket < FEWEST) {
            return bucket + 1L;
        }
        long upper = (bucket - FEWEST) % A_DECADE + FEWEST + 1;
        for (int decade = (bucket - FEWEST) / A_DECADE; decade > 0; decade--) {
            upper *= FEWEST;
        }
        return upper;
    }
}
