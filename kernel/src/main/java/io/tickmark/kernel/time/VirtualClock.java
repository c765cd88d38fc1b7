package io.tickmark.kernel.time;

import org.agrona.concurrent.NanoClock;

/**
 * A clock that changes only when it is moved: for tests and for calibration, where every latency
 * must be exact. One thread moves it, any thread reads it.
 */
public final class VirtualClock implements NanoClock {
    private volatile long nowNs;

    /**
     * A clock.
     *
     * @param startNs time it shows first
     */
    public VirtualClock(final long startNs) {
        this.nowNs = startNs;
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    /**
     * Moves the clock on.
     *
     * @param ns by how much, not negative
     */
    public void advance(final long ns) {
        if (ns < 0) {
            throw new IllegalArgumentException("a clock does not go back: " + ns + " ns");
        }
        nowNs = nowNs + ns;
    }

    /**
     * Moves the clock on to a time.
     *
     * @param ns time to show, not before the current one
     */
    public void jumpTo(final long ns) {
        advance(ns - nowNs);
    }
}
