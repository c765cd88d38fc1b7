package io.tickmark.kernel.time;

/**
 * Each message is wanted a gap after the one before was sent: no grid, so a stall is not caught up.
 */
final class SleepSchedule implements Schedule {
    private final long gapNs;
    private boolean first;

    SleepSchedule(final long gapNs) {
        this.gapNs = gapNs;
    }

    @Override
    public void start(final long startNs) {
        first = true;
    }

    @Override
    public long nextNs(final long nowNs) {
        if (first) {
            first = false;
            return nowNs;
        }
        return nowNs + gapNs;
    }

    @Override
    public double ratePerSecond() {
        return 0;
    }
}
