package io.tickmark.bench.contest;

import io.tickmark.bench.contest.LatencyRow.Part;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What came of a latency.
 *
 * @param contest that it belongs to
 * @param row as planned
 * @param figures of the rounds that have one, by part
 */
public record LatencyOutcome(String contest, LatencyRow row, Map<Part, List<Double>> figures) {
    /** Copies the map. */
    public LatencyOutcome {
        figures = Map.copyOf(figures);
    }

    /**
     * Gathers.
     *
     * @param contest that it belongs to
     * @param row as planned
     * @param rounds figures by contestant and name
     * @return the outcome
     */
    static LatencyOutcome of(
            final String contest,
            final LatencyRow row,
            final List<Map<String, Map<String, Double>>> rounds) {
        final Map<Part, List<Double>> figures = new EnumMap<>(Part.class);
        for (final Part part : Part.values()) {
            final List<Double> known =
                    rounds.stream()
                            .map(round ->
                                    round.getOrDefault(row.contestant(), Map.of())
                                            .get(part.of(row.figures())))
                            .filter(Objects::nonNull)
                            .toList();
            if (!known.isEmpty()) {
                figures.put(part, known);
            }
        }
        return new LatencyOutcome(contest, row, figures);
    }

    /**
     * One part of it, as it reads.
     *
     * @param part of the row
     * @param unit of that part
     * @return the median of the rounds; a dash where no round has one
     */
    String median(final Part part, final Unit unit) {
        final List<Double> known = figures.getOrDefault(part, List.of());
        return known.isEmpty() ? "-" : unit.text(ContestOutcome.spread(known).median());
    }

    /**
     * One owner's share, as it reads.
     *
     * @param part a share of the row
     * @return the mean of the rounds: the shares of each round add up to the whole, and so do their
     *     means; a dash where no round has one
     */
    String meanShare(final Part part) {
        final List<Double> known = figures.getOrDefault(part, List.of());
        return known.isEmpty()
                ? "-"
                : Unit.PERCENT.text(
                        known.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
    }
}
