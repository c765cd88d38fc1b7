package io.tickmark.bench.contest;

import io.tickmark.kernel.result.Aggregate.Spread;
import io.tickmark.kernel.stats.Summaries;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What became of a row. The ratio is taken round by round, because what disturbs one side of a
 * round disturbs the other too; the median of the ratios is judged.
 *
 * @param contest that the row belongs to
 * @param row as planned
 * @param ours figure of each round that counts
 * @param peer figure of each round that counts; empty where the figure itself is judged
 * @param judged ratio or figure of each round that counts
 * @param failures reasons why rounds are missing, by contestant
 */
public record ContestOutcome(
        String contest,
        Row row,
        List<Double> ours,
        List<Double> peer,
        List<Double> judged,
        Map<String, String> failures) {
    /** Copies lists and map. */
    public ContestOutcome {
        ours = List.copyOf(ours);
        peer = List.copyOf(peer);
        judged = List.copyOf(judged);
        failures = Map.copyOf(failures);
    }

    /**
     * Compares. Rounds in which one side has no figure do not count.
     *
     * @param contest that the row belongs to
     * @param row to compare
     * @param rounds figures by contestant and name
     * @param failures reasons by contestant
     * @return the outcome
     */
    static ContestOutcome of(
            final String contest,
            final Row row,
            final List<Map<String, Map<String, Double>>> rounds,
            final Map<String, String> failures) {
        final List<Double> ours = new ArrayList<>();
        final List<Double> peer = new ArrayList<>();
        final List<Double> judged = new ArrayList<>();
        for (final Map<String, Map<String, Double>> round : rounds) {
            final Optional<Double> own = figure(round, row.ours(), row.figure());
            final Optional<Double> other =
                    row.peer().flatMap(name -> figure(round, name, row.figure()));
            if (own.isPresent() && row.peer().isEmpty()) {
                ours.add(own.get());
                judged.add(own.get());
            } else if (own.isPresent() && other.isPresent() && other.get() > 0) {
                ours.add(own.get());
                peer.add(other.get());
                judged.add(own.get() / other.get());
            }
        }
        final Map<String, String> own = new LinkedHashMap<>(failures);
        own.keySet()
                .removeIf(
                        name -> !name.equals(row.ours()) && !row.peer().equals(Optional.of(name)));
        return new ContestOutcome(contest, row, ours, peer, judged, own);
    }

    private static Optional<Double> figure(
            final Map<String, Map<String, Double>> round, final String who, final String name) {
        return Optional.ofNullable(round.getOrDefault(who, Map.of()).get(name))
                .filter(Objects::nonNull);
    }

    /**
     * Whether any round counts.
     *
     * @return true if so
     */
    public boolean isMeasured() {
        return !judged.isEmpty();
    }

    /**
     * Whether the median meets the goal.
     *
     * @return false also where nothing was measured
     */
    public boolean isMet() {
        return isMeasured() && row.goal().isMet(spread(judged).median());
    }

    /**
     * Median and spread of figures.
     *
     * @param figures at least one
     * @return the spread
     */
    public static Spread spread(final Collection<Double> figures) {
        return Summaries.spread(figures.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
