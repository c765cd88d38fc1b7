package io.tickmark.workloads.feed.session;

import java.util.concurrent.TimeUnit;

/** What keeps sessions from being kept for ever. */
final class HubLimits {
    /**
     * After so long without a sign a client that owes acknowledgements, or is gone, is given up.
     */
    static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private HubLimits() {}
}
