package io.tickmark.kernel.role;

import io.tickmark.kernel.settings.SettingDescriptor;

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

    /**
     * Why a thread that waits this way cannot be watched for stalls: it gives up its core on
     * purpose and is to have it back whenever others leave it, which is at no time that could be
     * known.
     *
     * @return a clause; empty where it can be watched
     */
    public String notWatched() {
        return this == YIELD
                ? "it gives up its core at each turn (" + SettingDescriptor.word(this) + ")"
                : "";
    }
}
