package io.tickmark.lab.compare;

import java.util.Optional;

/**
 * When a difference may be that of the machine and not of what was measured: the noise floor of the
 * slower run took more of the time than the percentile leaves out, clearly more than that of the
 * faster run, and its longest gap is as long as the difference. What both noise floors share lies
 * in the repeats of both runs, and is in the intervals already.
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
