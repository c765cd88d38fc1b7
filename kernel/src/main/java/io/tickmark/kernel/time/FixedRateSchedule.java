package io.tickmark.kernel.time;

import java.util.concurrent.TimeUnit;

/** Message n is wanted at start + n / rate, rounded to the ns. */
final class FixedRateSchedule implements Schedule {
    private final double ratePerSecond;
    private final Ratio grid;

    FixedRateSchedule(final double ratePerSecond) {
        this.ratePerSecond = ratePerSecond;
        this.grid =
                Ratio.roundedToNearest(
                        TimeUnit.SECONDS.toNanos(1) * Ratio.RATE_SCALE,
                        Ratio.scaled(ratePerSecond));
    }

    @Override
    public void start(final long startNs) {
        grid.restart(startNs);
    }

    @Override
    public long nextNs(final long nowNs) {
        return grid.next();
    }

    @Override
    public double ratePerSecond() {
        return ratePerSecond;
    }
}
