package io.tickmark.report.rows;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;

/**
 * Which sides of a test have reported. When started by hand, each side reports only its own
 * figures, and a void trial may lack any: an unreported value must not look like a zero.
 */
public final class Sides {
    private Sides() {}

    /**
     * Whether a sender has reported.
     *
     * @param trial a row of the run
     * @return true where there is a rate
     */
    public static boolean isSenderKnown(final TrialResult trial) {
        return trial.offeredRatePerSecond() > 0 || trial.achievedRatePerSecond() > 0;
    }

    /**
     * Whether a receiver has reported.
     *
     * @param trial a row of the run
     * @return true where messages can be missed
     */
    public static boolean isReceiverKnown(final TrialResult trial) {
        return trial.counts().containsKey(Counts.RECEIVED)
                || trial.counts().containsKey(Counts.LOST);
    }

    /**
     * Whether it is known what was lost. A void trial is not a measurement: the verdict covers it,
     * and messages that did not arrive there are not a loss of the engine.
     *
     * @param trial a row of the run
     * @return true where a receiver has measured
     */
    public static boolean isLossKnown(final TrialResult trial) {
        return trial.verdict() != Verdict.VOID && isReceiverKnown(trial);
    }
}
