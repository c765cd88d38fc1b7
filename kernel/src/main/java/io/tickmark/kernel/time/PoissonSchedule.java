package io.tickmark.kernel.time;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A Poisson process: gaps are exponentially distributed, -ln(u) / rate, and do not look at when
 * messages were sent (open loop). The same seed gives the same times after every start.
 */
final class PoissonSchedule implements Schedule {
    private final double ratePerSecond;
    private final double meanGapNs;
    private final long seed;
    private SplittableRandom random;
    private long nextNs;
    private double rest;

    PoissonSchedule(final double ratePerSecond, final long seed) {
        this.ratePerSecond = ratePerSecond;
        this.meanGapNs = TimeUnit.SECONDS.toNanos(1) / ratePerSecond;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public void start(final long startNs) {
        random = new SplittableRandom(seed);
        nextNs = startNs;
        rest = 0;
    }

    @Override
    public long nextNs(final long nowNs) {
        final long current = nextNs;
        // the part below 1 ns is carried over, so that rounding does not shift the rate
        final double gapNs = rest - Math.log(1 - random.nextDouble()) * meanGapNs;
        final long wholeNs = (long) gapNs;
        rest = gapNs - wholeNs;
        nextNs = current + wholeNs;
        return current;
    }

    @Override
    public double ratePerSecond() {
        return ratePerSecond;
    }

    @Override
    public boolean isUneven() {
        return true;
    }
}
