package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import java.util.Optional;

/** The latency by which a row is judged and shown first. */
public final class Headline {
    private Headline() {}

    /**
     * Response time where there is one, because it charges stalls to the messages they delay; else
     * the round trip.
     *
     * @param row to look at
     * @return its headline latency, empty where it has none
     */
    public static Optional<LatencySummary> of(final TrialResult row) {
        return Optional.ofNullable(row.responseNs())
                .or(() -> Optional.ofNullable(row.roundTripNs()));
    }
}
