package io.tickmark.kernel.role;

/** What a hot thread does when there is nothing to do; recorded in the result. */
public enum IdleMode {
    /**
     * Spin while every hot thread, and every thread that the engine keeps busy, can have a core;
     * otherwise be adaptive.
     */
    AUTO,
    /** Busy spin with a CPU hint. */
    SPIN,
    /** {@link Thread#yield()} between polls. */
    YIELD,
    /** Park for a microsecond or so between polls. */
    PARK,
    /** Wait in the kernel or the engine until there is work; parks where the engine cannot. */
    BLOCK,
    /**
     * Spin while that pays off, 40 us at most, yield, then wait as {@code block} does; where
     * nothing wakes it, work is seen within 500 us.
     */
    ADAPTIVE;

    /**
     * Whether a thread that waits this way sleeps, and has to be woken without the kernel's slack.
     *
     * @return false where it stays runnable
     */
    public boolean sleeps() {
        return this == PARK || this == BLOCK || this == ADAPTIVE;
    }
}
