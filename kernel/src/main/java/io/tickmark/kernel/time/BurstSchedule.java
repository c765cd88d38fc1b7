package io.tickmark.kernel.time;

import java.math.BigInteger;
import java.util.concurrent.TimeUnit;

/**
 * On/off bursts: cycle k begins at start + k x (on + off) and sends at a fixed rate while it is on,
 * its first message at its beginning.
 */
final class BurstSchedule implements Schedule {
    private final long cycleNs;
    private final long messagesPerCycle;
    private final Ratio withinCycle;
    private long cycleStartNs;
    private long sentInCycle;

    BurstSchedule(final double ratePerSecond, final long onNs, final long offNs) {
        this.cycleNs = onNs + offNs;
        this.withinCycle =
                Ratio.roundedToNearest(
                        TimeUnit.SECONDS.toNanos(1) * Ratio.RATE_SCALE,
                        Ratio.scaled(ratePerSecond));
        this.messagesPerCycle = messagesWithin(onNs, Ratio.scaled(ratePerSecond));
    }

    /** How many n from 0 there are with n / rate below onNs. */
    private static long messagesWithin(final long onNs, final long scaledRate) {
        final BigInteger second =
                BigInteger.valueOf(TimeUnit.SECONDS.toNanos(1) * Ratio.RATE_SCALE);
        final BigInteger product =
                BigInteger.valueOf(onNs).multiply(BigInteger.valueOf(scaledRate));
        return product.add(second).subtract(BigInteger.ONE).divide(second).longValueExact();
    }

    @Override
    public void start(final long startNs) {
        beginCycle(startNs);
    }

    private void beginCycle(final long atNs) {
        cycleStartNs = atNs;
        sentInCycle = 0;
        withinCycle.restart(atNs);
    }

    @Override
    public long nextNs(final long nowNs) {
        if (sentInCycle == messagesPerCycle) {
            beginCycle(cycleStartNs + cycleNs);
        }
        sentInCycle++;
        return withinCycle.next();
    }

    @Override
    public double ratePerSecond() {
        return (double) messagesPerCycle * TimeUnit.SECONDS.toNanos(1) / cycleNs;
    }

    @Override
    public boolean isUneven() {
        return true;
    }
}
