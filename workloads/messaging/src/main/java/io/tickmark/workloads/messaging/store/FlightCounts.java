package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.result.Counts;
import java.util.Map;

/** What a publication of a stored stream counts in a step. One thread. */
final class FlightCounts {
    private long acknowledged;
    private long wouldBlock;
    private long maxInFlight;
    private long maxGapNs;
    private long resent;
    private long reopened;

    void acknowledge() {
        acknowledged++;
    }

    /** A message cannot go; it counts once, however often it is tried. */
    void waited(final boolean isFirst) {
        wouldBlock += isFirst ? 1 : 0;
    }

    void inFlight(final long messages) {
        maxInFlight = Math.max(maxInFlight, messages);
    }

    void gap(final long ns) {
        maxGapNs = Math.max(maxGapNs, ns);
    }

    void resent() {
        resent++;
    }

    void reopened() {
        reopened++;
    }

    long timesReopened() {
        return reopened;
    }

    /** Adds these to those of other topics. */
    void addTo(final Map<String, Long> counts) {
        counts.merge(Counts.ACKNOWLEDGED, acknowledged, Long::sum);
        counts.merge(Counts.WOULD_BLOCK, wouldBlock, Long::sum);
        counts.merge(Counts.MAX_FLIGHT_SIZE, maxInFlight, Math::max);
        counts.merge(Counts.MAX_STABLE_GAP_NS, maxGapNs, Math::max);
        counts.merge(Counts.RESENT, resent, Long::sum);
    }
}
