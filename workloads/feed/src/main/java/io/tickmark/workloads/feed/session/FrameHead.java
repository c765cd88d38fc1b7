package io.tickmark.workloads.feed.session;

/** Figures of the frame that is being written; one for each owner thread, used again and again. */
public final class FrameHead {
    private final long epochNs;
    private long frame;
    private long sentNs;
    private long ordinal;

    /**
     * All zero.
     *
     * @param epochNs of the feed, on the clock
     */
    public FrameHead(final long epochNs) {
        this.epochNs = epochNs;
    }

    void set(final long frameNumber, final long nowNs, final long firstOrdinal) {
        frame = frameNumber;
        sentNs = nowNs - epochNs;
        ordinal = firstOrdinal;
    }

    /**
     * Number of the frame in its connection.
     *
     * @return from 1
     */
    public long frame() {
        return frame;
    }

    /**
     * When it was written.
     *
     * @return ns after the feed's epoch
     */
    public long sentNs() {
        return sentNs;
    }

    /**
     * Number of its first message in the session.
     *
     * @return from 1
     */
    public long ordinal() {
        return ordinal;
    }
}
