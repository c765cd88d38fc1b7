package io.tickmark.lab.control;

import io.tickmark.kernel.result.TrialResult;
import java.util.Map;

/**
 * Hears how a run goes. Called on the run's thread: what it does delays the controller, so it must
 * not wait.
 */
public interface RunListener {
    /** Hears nothing. */
    RunListener SILENT = new RunListener() {};

    /**
     * All is checked and the run begins.
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
     * A role says how far it is, about once a second while measuring.
     *
     * @param trial which one
     * @param role its name and index, such as {@code latency-pub-1}
     * @param step label of its step, empty before the first
     * @param counters totals by name
     */
    default void progressed(
            final TrialKey trial,
            final String role,
            final String step,
            final Map<String, Long> counters) {}

    /**
     * A role tells the user something.
     *
     * @param trial which one
     * @param role its name and index
     * @param line without a line end
     */
    default void told(final TrialKey trial, final String role, final String line) {}

    /**
     * A row is final.
     *
     * @param row as it will be in the result
     */
    default void rowFinished(final TrialResult row) {}

    /**
     * Something about the run is not as it should be, and the run goes on.
     *
     * @param sentence what
     */
    default void warned(final String sentence) {}
}
