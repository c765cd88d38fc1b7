package io.tickmark.report.rows;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;

/**
 * Which sides of a test have reported. By hand each side tells its own figures only, and a void
 * trial may lack any: what nobody said must not look like a zero.
 */
public final class Sides {
    private Sides() {}

    /**
     * Whether a sender said how it sent.
     *
     * @param trial a row of the run
     * @return true where there is a rate
     */
    public static boolean isSenderKnown(final TrialResult trial) {
        return trial.offeredRatePerSecond() > 0 || trial.achievedRatePerSecond() > 0;
    }

    /**
     * Whether a receiver said what came.
     *
     * @param trial a row of the run
     * @return true where messages can be missed
     */
    public static boolean isReceiverKnown(final TrialResult trial) {
        return trial.counts().containsKey(Counts.RECEIVED)
                || trial.counts().containsKey(Counts.LOST);
    }
}
