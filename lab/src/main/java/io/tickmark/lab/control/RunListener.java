package io.tickmark.lab.control;

import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.live.LiveTick;
import io.tickmark.lab.plan.RoleInstance;
import java.util.List;
import java.util.function.Consumer;

/**
 * Receives the progress of a run. Called on the run's thread: what it does delays the controller,
 * so it must not wait.
 */
public interface RunListener {
    /** Ignores all events. */
    RunListener SILENT = new RunListener() {};

    /**
     * The plan was checked and the run begins.
     *
     * @param estimate how long it will take
     */
    default void runStarted(final RunEstimate estimate) {}

    /**
     * A trial begins.
     *
     * @param trial which one
     */
    default void trialStarted(final TrialKey trial) {}

    /**
     * A trial enters a phase.
     *
     * @param trial which one
     * @param phase entered
     */
    default void phaseStarted(final TrialKey trial, final TrialPhase phase) {}

    /**
     * The noise floor of a machine was measured, before a trial or after it.
     *
     * @param trial which one
     * @param noise of the machine's cores
     */
    default void noiseMeasured(final TrialKey trial, final NoiseSummary noise) {}

    /**
     * A role reports its progress, about once a second while measuring.
     *
     * @param trial which one
     * @param role which one
     * @param progress of it
     */
    default void progressed(
            final TrialKey trial, final RoleInstance role, final Progress progress) {}

    /**
     * The state of the run, about once a second while measuring and at each phase.
     *
     * @param tick the merged lines of all roles
     */
    default void ticked(final LiveTick tick) {}

    /**
     * A role sends a line to the user.
     *
     * @param trial which one
     * @param role its name and index
     * @param line without a line end
     */
    default void printed(final TrialKey trial, final String role, final String line) {}

    /**
     * A row is final.
     *
     * @param row as it will be in the result
     */
    default void rowFinished(final TrialResult row) {}

    /**
     * A problem that does not stop the run.
     *
     * @param sentence that describes it
     */
    default void warned(final String sentence) {}

    /**
     * Passes all events to both.
     *
     * @param other is called after this one
     * @return the two
     */
    default RunListener and(final RunListener other) {
        return new TwoListeners(this, other);
    }

    /** Passes all events to two listeners, one after the other. */
    static final class TwoListeners implements RunListener {
        private final List<RunListener> both;

        TwoListeners(final RunListener first, final RunListener second) {
            both = List.of(first, second);
        }

        private void forward(final Consumer<RunListener> said) {
            both.forEach(said);
        }

        @Override
        public void runStarted(final RunEstimate estimate) {
            forward(each -> each.runStarted(estimate));
        }

        @Override
        public void trialStarted(final TrialKey trial) {
            forward(each -> each.trialStarted(trial));
        }

        @Override
        public void phaseStarted(final TrialKey trial, final TrialPhase phase) {
            forward(each -> each.phaseStarted(trial, phase));
        }

        @Override
        public void noiseMeasured(final TrialKey trial, final NoiseSummary noise) {
            forward(each -> each.noiseMeasured(trial, noise));
        }

        @Override
        public void progressed(
                final TrialKey trial, final RoleInstance role, final Progress progress) {
            forward(each -> each.progressed(trial, role, progress));
        }

        @Override
        public void ticked(final LiveTick tick) {
            forward(each -> each.ticked(tick));
        }

        @Override
        public void printed(final TrialKey trial, final String role, final String line) {
            forward(each -> each.printed(trial, role, line));
        }

        @Override
        public void rowFinished(final TrialResult row) {
            forward(each -> each.rowFinished(row));
        }

        @Override
        public void warned(final String sentence) {
            forward(each -> each.warned(sentence));
        }
    }
}
