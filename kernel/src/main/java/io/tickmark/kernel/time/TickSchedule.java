package io.tickmark.kernel.time;

import java.util.concurrent.TimeUnit;

/**
 * Bursts on a tick: tick k is at start + k / ticksPerSecond, and message n belongs to tick n x
 * ticksPerSecond / rate rounded down, so that a rate that does not divide is spread evenly.
 */
final class TickSchedule implements Schedule {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final double ratePerSecond;
    private final int ticksPerSecond;
    private final Ratio ticks;
    private long startNs;
    private long tick = -1;
    private long tickNs;

    TickSchedule(final double ratePerSecond, final int ticksPerSecond) {
        this.ratePerSecond = ratePerSecond;
        this.ticksPerSecond = ticksPerSecond;
        this.ticks =
                Ratio.roundedDown(ticksPerSecond * Ratio.RATE_SCALE, Ratio.scaled(ratePerSecond));
    }

    @Override
    public void start(final long startNs) {
        this.startNs = startNs;
        ticks.restart(0);
        tick = -1;
    }

    @Override
    public long nextNs(final long nowNs) {
        final long nextTick = ticks.next();
        if (nextTick != tick) {
            tick = nextTick;
            tickNs = startNs + offsetNs(nextTick);
        }
        return tickNs;
    }

    /** Whole seconds apart, so that no product overflows. */
    private long offsetNs(final long ofTick) {
        final long withinSecond = ofTick % ticksPerSecond * SECOND_NS;
        return ofTick / ticksPerSecond * SECOND_NS
                + (withinSecond + ticksPerSecond / 2) / ticksPerSecond;
    }

    @Override
    public double ratePerSecond() {
        return ratePerSecond;
    }
}
