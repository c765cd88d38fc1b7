package io.tickmark.workloads.fix.client;

import io.tickmark.kernel.time.Schedule;
import io.tickmark.kernel.time.Schedules;

/** One message of each session at the same moment, on the fixed grid of a session's rate. */
final class BurstSchedule implements Schedule {
    private final Schedule grid;
    private final int sessions;
    private int left;
    private long intendedNs;

    BurstSchedule(final double ratePerSession, final int sessions) {
        grid = Schedules.fixedRate(ratePerSession);
        this.sessions = sessions;
    }

    @Override
    public void start(final long startNs) {
        grid.start(startNs);
        left = 0;
    }

    @Override
    public long nextNs(final long nowNs) {
        if (left == 0) {
            left = sessions;
            intendedNs = grid.nextNs(nowNs);
        }
        left--;
        return intendedNs;
    }

    @Override
    public double ratePerSecond() {
        return grid.ratePerSecond() * sessions;
    }
}
