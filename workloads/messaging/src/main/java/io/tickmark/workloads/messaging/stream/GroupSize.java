package io.tickmark.workloads.messaging.stream;

/**
 * How many messages share one clock read: as many as an engine takes in some ten microseconds, so
 * that a dear send call keeps a time of its own and a cheap one does not pay for the clock. One
 * thread.
 */
final class GroupSize {
    /** A group that took longer is followed by a smaller one. */
    private static final long TOO_LONG_NS = 20_000;

    /** A group that took less may be followed by a larger one. */
    private static final long SHORT_NS = TOO_LONG_NS / 2;

    private final int most;
    private int size = 1;
    private long beganNs;

    GroupSize(final int most) {
        this.most = most;
    }

    /** The rest of a group that was refused is offered again: waiting for room is no cost. */
    void again(final long nowNs) {
        beganNs = nowNs;
    }

    /** Size of the group that begins now, by the time that the one before took. */
    int next(final long nowNs) {
        final long tookNs = nowNs - beganNs;
        beganNs = nowNs;
        if (tookNs > TOO_LONG_NS) {
            size = Math.max(1, size / 2);
        } else if (tookNs < SHORT_NS) {
            size = Math.min(most, size * 2);
        }
        return size;
    }
}
