package io.tickmark.workloads.messaging.store;

/**
 * How much longer messages wait at the end of a stream than at its beginning: a queue that grows
 * because the rate is too high for its consumer. The shortest waits of the first and of the last
 * whole window are compared, so that a stall that was caught up does not count as growth.
 * Single-threaded, allocates nothing.
 */
final class WaitGrowth {
    /** Metric of a role, used by searches: how much longer its messages waited at the end. */
    static final String FELL_BEHIND_NS = "fellBehindNs";

    /** Longer than most stalls of a machine, and short enough for trials of a second. */
    static final long WINDOW_NS = 200_000_000;

    private boolean isBegun;
    private int wholeWindows;
    private long windowEndNs;
    private long leastNs = Long.MAX_VALUE;
    private long firstNs;
    private long lastNs;

    /**
     * Records a message that was due at a time, and how long it waited; older ones may occur again.
     */
    void add(final long intendedNs, final long waitNs) {
        if (!isBegun || intendedNs - windowEndNs >= 0) {
            roll(intendedNs);
        }
        leastNs = Math.min(leastNs, waitNs);
    }

    private void roll(final long intendedNs) {
        if (isBegun) {
            firstNs = wholeWindows++ == 0 ? leastNs : firstNs;
            lastNs = leastNs;
        }
        isBegun = true;
        windowEndNs = intendedNs + WINDOW_NS;
        leastNs = Long.MAX_VALUE;
    }

    /** The difference; 0 where waits grew shorter, or there is nothing to compare. */
    long ns() {
        return wholeWindows < 2 ? 0 : Math.max(0, lastNs - firstNs);
    }
}
