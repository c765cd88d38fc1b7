package io.tickmark.lab.control;

/** The phase of a trial. */
public enum TrialPhase {
    /** Role processes start. */
    STARTING,
    /** The noise floor is measured. */
    NOISE,
    /** Roles bind and connect. */
    CONNECTING,
    /** Roles measure, including their warm-up. */
    MEASURING,
    /** Roles of a void trial are stopped. */
    STOPPING
}
