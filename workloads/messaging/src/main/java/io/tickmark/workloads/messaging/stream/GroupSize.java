package io.tickmark.workloads.messaging.stream;

/**
 * How many messages share one clock read: as many as an engine takes in a few microseconds, so that
 * a dear send call keeps a time of its own and a cheap one does not pay for the clock; but no fewer
 * than it sends by one call, because those leave together. One thread.
 */
final class GroupSize {
    /**
     * A group that took longer is followed by a smaller one: a clock read of some 20 ns for each
     * would not be felt.
     */
    private static final long TOO_LONG_NS = 4_000;

    /** A group that took less may be followed by a larger one. */
    private static final long SHORT_NS = TOO_LONG_NS / 2;

    private final int least;
    private final int most;
    private int size;
    private long beganNs;

    /** {@code least} is what the engine sends by one call, {@code most} what a group can hold. */
    GroupSize(final int least, final int most) {
        this.least = Math.min(least, most);
        this.most = most;
        size = this.least;
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
            size = Math.max(least, size / 2 / least * least);
        } else if (tookNs < SHORT_NS) {
            size = Math.min(most, size * 2);
        }
        return size;
    }
}
