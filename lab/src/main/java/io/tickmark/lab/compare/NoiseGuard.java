package io.tickmark.lab.compare;

import java.util.Locale;
import java.util.Optional;

/**
 * When a difference may be that of the machines and not of what was measured. Either the noise
 * floor of the slower run took more of the time than the percentile leaves out, clearly more than
 * that of the faster run, and its longest gap is as long as the difference. What both noise floors
 * share lies in the repeats of both runs, and is in the intervals already. Or two one-way times
 * between hosts are no farther apart than the bounds of their clocks.
 */
final class NoiseGuard {
    /** How much more than the other's it must be. */
    private static final double CLEARLY = 1.5;

    private static final double PERCENT = 100;
    private static final double NS_PER_US = 1e3;

    private final RowPairs.Pair pair;

    NoiseGuard(final RowPairs.Pair pair) {
        this.pair = pair;
    }

    /**
     * Why the clocks may make two times differ, or look the same, by more than {@code leastNs}.
     * Each repeat may have an error of its own or all of them one: it is not in the intervals.
     */
    Optional<String> clocks(
            final String latency,
            final double firstNs,
            final double otherNs,
            final double leastNs) {
        final long first = pair.first().clockBoundNs();
        final long other = pair.other().clockBoundNs();
        final double boundNs = (double) first + other;
        return pair.first().isOneWay(latency)
                        && boundNs > leastNs
                        && Math.abs(otherNs - firstNs) <= boundNs
                ? Optional.of(
                        String.format(
                                Locale.ROOT,
                                "The clocks of the hosts are known to %.1f us and %.1f us: the times differ by no more.",
                                first / NS_PER_US,
                                other / NS_PER_US))
                : Optional.empty();
    }

    /** Why a difference of a latency may be noise; empty where it cannot. */
    Optional<String> doubt(final LatencyFigure figure, final double firstNs, final double otherNs) {
        final boolean otherIsSlower = otherNs > firstNs;
        final SideRow slower = otherIsSlower ? pair.other() : pair.first();
        final SideRow faster = otherIsSlower ? pair.first() : pair.other();
        final double stolen = slower.stolenPart();
        final double gapNs = slower.longestGapNs();
        final boolean isNoisier = stolen > CLEARLY * faster.stolenPart();
        final boolean canExplain =
                figure.isMean()
                        // a gap adds half of its length to what it hits, on average
                        ? Math.abs(otherNs - firstNs) <= stolen * gapNs / 2
                        : stolen >= 1 - figure.part() && Math.abs(otherNs - firstNs) <= gapNs;
        return isNoisier && canExplain
                ? Optional.of(
                        "The slower run's machine lost %.2g %% of its time in gaps up to %.0f us, which may be all of it."
                                .formatted(stolen * PERCENT, gapNs / NS_PER_US))
                : Optional.empty();
    }
}
