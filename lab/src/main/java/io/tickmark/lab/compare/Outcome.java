package io.tickmark.lab.compare;

/** The result of comparing a figure of two runs. */
public enum Outcome {
    /** The other run is better: shorter latency or higher rate. */
    BETTER,
    /** The other run is worse. */
    WORSE,
    /** Any difference is smaller than the smallest relevant one. */
    NO_DIFFERENCE,
    /** There may be a relevant difference, or none: the runs do not decide it. */
    TOO_NOISY
}
