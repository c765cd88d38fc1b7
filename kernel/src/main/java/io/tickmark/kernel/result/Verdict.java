package io.tickmark.kernel.result;

/** How a trial or a run ended; in JSON in lower case. */
public enum Verdict {
    /** All criteria met: exit code 0. */
    PASS(0),
    /** Measured, criteria not met: exit code 1. */
    FAIL(1),
    /** Not a measurement (a role lost, interrupted, too noisy to judge): exit code 1. */
    VOID(1);

    private final int exitCode;

    Verdict(final int exitCode) {
        this.exitCode = exitCode;
    }

    /**
     * The process's exit code.
     *
     * @return 0 or 1
     */
    public int exitCode() {
        return exitCode;
    }

    /**
     * The worse of two; VOID is worst.
     *
     * @param other to compare with
     * @return the worse
     */
    public Verdict worse(final Verdict other) {
        return ordinal() >= other.ordinal() ? this : other;
    }
}
