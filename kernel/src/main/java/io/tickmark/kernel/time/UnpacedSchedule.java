package io.tickmark.kernel.time;

/** As fast as possible: the next message is wanted as soon as the one before was sent. */
final class UnpacedSchedule implements Schedule {
    UnpacedSchedule() {}

    @Override
    public void start(final long startNs) {
        // there is no grid to fix
    }

    @Override
    public long nextNs(final long nowNs) {
        return nowNs;
    }

    @Override
    public double ratePerSecond() {
        return 0;
    }

    @Override
    public boolean isUnpaced() {
        return true;
    }
}
