package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.role.RoleContext;

/**
 * How long a store is waited for; no longer than a second in total once the role has to end, as its
 * figures would otherwise be lost. Single-threaded.
 */
final class Deadline {
    private static final long STOPPED_NS = 1_000_000_000;

    private final RoleContext context;
    private long atNs;
    private boolean isStopped;
    private long stoppedAtNs;

    Deadline(final RoleContext context) {
        this.context = context;
    }

    /** Sets it relative to now. */
    Deadline in(final long ns) {
        atNs = context.clock().nanoTime() + ns;
        return this;
    }

    boolean isOver() {
        final long nowNs = context.clock().nanoTime();
        if (!isStopped && context.isStopped()) {
            isStopped = true;
            stoppedAtNs = nowNs + STOPPED_NS;
        }
        return nowNs - atNs > 0 || isStopped && nowNs - stoppedAtNs > 0;
    }
}
