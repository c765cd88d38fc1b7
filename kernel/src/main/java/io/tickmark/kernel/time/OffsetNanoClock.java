package io.tickmark.kernel.time;

import org.agrona.concurrent.NanoClock;

/** Another clock's time on a time line that is a constant apart from it. Any thread. */
public final class OffsetNanoClock implements NanoClock {
    private final NanoClock clock;
    private final long offsetNs;

    /**
     * A clock on the other time line.
     *
     * @param clock of this machine
     * @param offsetNs added to each of its readings
     */
    public OffsetNanoClock(final NanoClock clock, final long offsetNs) {
        this.clock = clock;
        this.offsetNs = offsetNs;
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime() + offsetNs;
    }
}
