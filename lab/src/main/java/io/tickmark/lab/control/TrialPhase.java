package io.tickmark.lab.control;

/** How far a trial is. */
public enum TrialPhase {
    /** Role processes start. */
    STARTING,
    /** The noise floor is measured. */
    NOISE,
    /** Roles bind and connect. */
    CONNECTING,
    /** Roles measure, their warm-up included. */
    MEASURING,
    /** Roles of a void trial are stopped. */
    STOPPING
}
