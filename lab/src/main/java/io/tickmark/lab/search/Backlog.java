package io.tickmark.lab.search;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.Plural;
import java.util.Locale;
import java.util.Optional;

/**
 * The backlog that built up during a trial. A store lets a publisher run ahead of it, so any rate
 * can be held for a while: a rate that is too high shows only in the queue, which grows until it is
 * full.
 */
public final class Backlog {
    /**
     * Metric of roles at a store: how much longer a message waited at the end than at the
     * beginning.
     */
    private static final String FELL_BEHIND_NS = "fellBehindNs";

    private static final double NS_PER_MS = 1e6;

    private Backlog() {}

    /**
     * Checks for a backlog. If waits grow by a part of the trial's length, that part of the rate is
     * not sustained but deferred.
     *
     * @param row of a trial at a rate
     * @param minRateHeldPart of the rate that must be held
     * @param maxWouldBlock messages that may wait for room in flight; below 0 where it is not set,
     *     and then none may
     * @return a sentence; empty where there is no backlog, or no rate was requested
     */
    public static Optional<String> of(
            final TrialResult row, final double minRateHeldPart, final long maxWouldBlock) {
        if (row.offeredRatePerSecond() <= 0) {
            return Optional.empty();
        }
        final long blocked = row.counts().getOrDefault(Counts.WOULD_BLOCK, 0L);
        if (blocked > Math.max(0, maxWouldBlock)) {
            return Optional.of(
                    Plural.of(blocked, "message")
                            + " had to wait for room in flight (--flight-size).");
        }
        return row.roles().stream()
                .filter(role -> fellBehindNs(role) > (1 - minRateHeldPart) * row.durationNs())
                .findFirst()
                .map(role -> sentence(role, row));
    }

    private static double fellBehindNs(final RoleSummary role) {
        return role.metrics().get(FELL_BEHIND_NS) instanceof final Number ns ? ns.doubleValue() : 0;
    }

    private static String sentence(final RoleSummary role, final TrialResult row) {
        return String.format(
                Locale.ROOT,
                "The backlog grew: messages waited %.1f ms longer at the end than at the beginning (%s),"
                        + " %.2g %% of the trial.",
                fellBehindNs(role) / NS_PER_MS,
                role.role(),
                100 * fellBehindNs(role) / row.durationNs());
    }
}
