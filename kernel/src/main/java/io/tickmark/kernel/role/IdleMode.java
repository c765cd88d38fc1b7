package io.tickmark.kernel.role;

/** What a hot thread does when there is nothing to do; recorded in the result. */
public enum IdleMode {
    /**
     * Spin while every hot thread can have a core, else block; publisher and echo spin all the
     * same, or yield where there is one core only.
     */
    AUTO,
    /** Busy spin with a CPU hint. */
    SPIN,
    /** {@link Thread#yield()} between polls. */
    YIELD,
    /** Park for a microsecond or so between polls. */
    PARK,
    /** Wait in the kernel or the engine until there is something; parks where the engine cannot. */
    BLOCK
}
