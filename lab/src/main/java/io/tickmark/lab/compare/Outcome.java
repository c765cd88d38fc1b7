package io.tickmark.lab.compare;

/** What can be said of a figure of two runs. */
public enum Outcome {
    /** The other run is better: shorter latency or higher rate. */
    BETTER,
    /** The other run is worse. */
    WORSE,
    /** Any difference is smaller than what is worth telling. */
    NO_DIFFERENCE,
    /** There may be a difference worth telling, or none: the runs do not say. */
    TOO_NOISY
}
