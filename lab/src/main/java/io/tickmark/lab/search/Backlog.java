package io.tickmark.lab.search;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import java.util.Locale;
import java.util.Optional;

/**
 * What piled up while a trial ran. A store takes what a publisher sends ahead of it, so the rate
 * sent is held for a while at any rate: what shows that a rate is too high is the queue, which
 * grows until it is full.
 */
public final class Backlog {
    /** Metric of roles at a store: how much longer a message waited in the end than at first. */
    private static final String FELL_BEHIND_NS = "fellBehindNs";

    private static final double NS_PER_MS = 1e6;

    private Backlog() {}

    /**
     * Looks for one. While waits grow by a part of the trial's length, that part of the rate is not
     * carried but put off.
     *
     * @param row of a trial at a rate
     * @param minRateHeldPart of the rate that must be held
     * @param maxWouldBlock messages that may wait for room in flight; below 0 where nobody said,
     *     and then none may
     * @return a sentence; empty where nothing piled up, or no rate was asked for
     */
    public static Optional<String> of(
            final TrialResult row, final double minRateHeldPart, final long maxWouldBlock) {
        if (row.offeredRatePerSecond() <= 0) {
            return Optional.empty();
        }
        final long blocked = row.counts().getOrDefault(Counts.WOULD_BLOCK, 0L);
        if (blocked > Math.max(0, maxWouldBlock)) {
            return Optional.of(
                    "%d messages had to wait for room in flight (--flight-size)."
                            .formatted(blocked));
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
