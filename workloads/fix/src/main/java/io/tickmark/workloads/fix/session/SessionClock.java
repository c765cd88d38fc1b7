package io.tickmark.workloads.fix.session;

import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;

/**
 * The time of one pass of a thread over its sessions: read once, shown by all messages of the pass.
 * Single-threaded.
 */
public final class SessionClock {
    private final NanoClock nanoClock;
    private final EpochClock epochClock;
    private final TimestampText text = new TimestampText();
    private long nowNs;
    private long nowMs;

    /**
     * A clock, updated.
     *
     * @param nanoClock for time-outs
     * @param epochClock for SendingTime
     */
    public SessionClock(final NanoClock nanoClock, final EpochClock epochClock) {
        this.nanoClock = nanoClock;
        this.epochClock = epochClock;
        update();
    }

    /** Reads both clocks. */
    public void update() {
        nowNs = nanoClock.nanoTime();
        final long ms = epochClock.time();
        if (ms != nowMs) {
            nowMs = ms;
            text.update(ms);
        }
    }

    /**
     * Time of the pass.
     *
     * @return ns on the monotonic clock
     */
    public long nowNs() {
        return nowNs;
    }

    /**
     * Time of the pass.
     *
     * @return ms since 1970
     */
    public long nowMs() {
        return nowMs;
    }

    TimestampText text() {
        return text;
    }
}
