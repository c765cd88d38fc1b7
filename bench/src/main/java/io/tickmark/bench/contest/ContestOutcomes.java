package io.tickmark.bench.contest;

import java.util.Collection;
import java.util.List;

/**
 * What came of the rounds so far.
 *
 * @param rows one for each comparison
 * @param latencies one for each latency that is shown in full
 */
public record ContestOutcomes(List<ContestOutcome> rows, List<LatencyOutcome> latencies) {
    /** Copies the lists. */
    public ContestOutcomes {
        rows = List.copyOf(rows);
        latencies = List.copyOf(latencies);
    }

    /**
     * Those of several contests.
     *
     * @param contests in their order
     * @return one after the other
     */
    public static ContestOutcomes all(final Collection<ContestOutcomes> contests) {
        return new ContestOutcomes(
                contests.stream().flatMap(each -> each.rows().stream()).toList(),
                contests.stream().flatMap(each -> each.latencies().stream()).toList());
    }
}
