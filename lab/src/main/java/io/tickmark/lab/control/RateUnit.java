package io.tickmark.lab.control;

/**
 * What the setting that is searched over means: messages per second of the whole test for one of
 * it. It may be the rate of each of several sessions, or that within a burst, and only a trial
 * tells. One thread.
 */
final class RateUnit {
    /** By how much rates that are counted in a short trial may be beside what was asked for. */
    private static final double COUNTED = 0.02;

    private double messages = 1;
    private double seen = 1;
    private long seenForNs;
    private boolean isKnown;

    /** The setting for a rate of the whole test. */
    long setting(final double ratePerSecond) {
        return ratePerSecond > 0 ? Math.max(1, Math.round(ratePerSecond / messages)) : 0;
    }

    /** The rate nearest to this one that can be set. */
    double nearest(final double ratePerSecond) {
        return setting(ratePerSecond) * messages;
    }

    /** The lowest rate within that part of one that can be set, or the next below it. */
    double below(final double ratePerSecond, final double part) {
        final double within = Math.ceil(ratePerSecond / messages / (1 + part));
        return Math.min(within, setting(ratePerSecond) - 1) * messages;
    }

    /**
     * Learns from a trial.
     *
     * @param offeredPerSecond of the whole test, above 0
     * @param setting that it had
     * @param durationNs of the trial; the longest tells best
     * @return whether the trial was at another rate than it was asked for, which is so at most once
     */
    boolean learn(final double offeredPerSecond, final long setting, final long durationNs) {
        if (durationNs >= seenForNs) {
            seen = offeredPerSecond / setting;
            seenForNs = durationNs;
        }
        if (isKnown) {
            return false;
        }
        isKnown = true;
        messages = rounded(seen);
        return messages != 1;
    }

    /** Sessions are whole ones. */
    private static double rounded(final double perSetting) {
        final double whole = Math.rint(perSetting);
        return whole > 0 && Math.abs(perSetting - whole) <= COUNTED * whole ? whole : perSetting;
    }

    /** A rate that was asked for, as the longest trial showed it: short ones know it less well. */
    double corrected(final double ratePerSecond) {
        return ratePerSecond * seen / messages;
    }
}
