package io.tickmark.workloads.feed.session;

import java.util.concurrent.TimeUnit;

/** Limits that keep sessions from existing for ever. */
final class HubLimits {
    /**
     * After this long without a sign, a client that owes acknowledgements, or is gone, is given up.
     */
    static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(60);

    /** The same where others wait for the place. */
    static final long SILENCE_OF_ONE_IN_THE_WAY_NS = TimeUnit.SECONDS.toNanos(2);

    private HubLimits() {}
}
