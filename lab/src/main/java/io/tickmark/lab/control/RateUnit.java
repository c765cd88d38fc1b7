package io.tickmark.lab.control;

/**
 * The unit of the setting that is searched over: messages per second of the whole test for a value
 * of 1. It may be the rate of each of several sessions, or that within a burst, and only a trial
 * shows it. Single-threaded.
 */
final class RateUnit {
    /** How far rates counted in a short trial may deviate from the requested rate. */
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

    /** The lowest settable rate within that part of a rate, or the next one below it. */
    double below(final double ratePerSecond, final double part) {
        final double within = Math.ceil(ratePerSecond / messages / (1 + part));
        return Math.min(within, setting(ratePerSecond) - 1) * messages;
    }

    /**
     * Learns from a trial.
     *
     * @param offeredPerSecond of the whole test, above 0
     * @param setting that it had
     * @param durationNs of the trial; the longest is the most accurate
     * @return whether the trial was at another rate than requested, which happens at most once
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

    /** The number of sessions is a whole number. */
    private static double rounded(final double perSetting) {
        final double whole = Math.rint(perSetting);
        return whole > 0 && Math.abs(perSetting - whole) <= COUNTED * whole ? whole : perSetting;
    }

    /** A requested rate as the longest trial showed it: short ones are less accurate. */
    double corrected(final double ratePerSecond) {
        return ratePerSecond * seen / messages;
    }
}
