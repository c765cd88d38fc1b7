package io.tickmark.lab.search;

/**
 * The trials at one rate, as time spent in good and bad ones, and what follows from them: RFC 9971,
 * appendix "Load Classification". A trial shorter than the target's counts as short: bad short
 * trials beyond what good short ones balance count against the rate, good ones never for it.
 */
final class Load {
    private final double ratePerSecond;
    private double fullGoodNs;
    private double fullBadNs;
    private double shortGoodNs;
    private double shortBadNs;

    /** What trials have shown of a rate. */
    enum Kind {
        /** It holds. */
        LOWER_BOUND,
        /** It does not hold. */
        UPPER_BOUND,
        /** More trials are needed. */
        UNDECIDED
    }

    Load(final double ratePerSecond) {
        this.ratePerSecond = ratePerSecond;
    }

    double ratePerSecond() {
        return ratePerSecond;
    }

    void add(final long durationNs, final boolean isBad, final Target target) {
        if (durationNs >= target.trialNs()) {
            fullGoodNs += isBad ? 0 : durationNs;
            fullBadNs += isBad ? durationNs : 0;
        } else {
            shortGoodNs += isBad ? 0 : durationNs;
            shortBadNs += isBad ? durationNs : 0;
        }
    }

    /** Classifies: whether the rest of the goal's time, all bad or all good, could change it. */
    Kind kind(final Target target) {
        final double balancingNs = shortGoodNs * target.exceedRatio() / (1 - target.exceedRatio());
        final double badNs = fullBadNs + Math.max(0, shortBadNs - balancingNs);
        final double wholeNs = Math.max(badNs + fullGoodNs, target.durationSumNs());
        final double allowedNs = wholeNs * target.exceedRatio();
        final boolean holdsAtWorst = wholeNs - fullGoodNs <= allowedNs;
        final boolean holdsAtBest = badNs <= allowedNs;
        if (holdsAtWorst) {
            return Kind.LOWER_BOUND;
        }
        return holdsAtBest ? Kind.UNDECIDED : Kind.UPPER_BOUND;
    }

    /**
     * A goal, or a coarser one on the way to it.
     *
     * @param trialNs length of a full trial
     * @param durationSumNs time in full trials that decides at the latest
     * @param exceedRatio part of that time that may be bad
     * @param width largest part by which the bounds may differ
     */
    record Target(long trialNs, long durationSumNs, double exceedRatio, double width) {}
}
