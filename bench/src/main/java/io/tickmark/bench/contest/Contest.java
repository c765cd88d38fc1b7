package io.tickmark.bench.contest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * Contestants that are measured in turn, A B A B, so that what the machine does meanwhile falls on
 * all of them.
 *
 * @param name one word, by which it can be chosen
 * @param contestants in the order of their turns
 * @param rows what is compared
 * @param latencies whose latencies are shown in full
 */
public record Contest(
        String name, List<Contestant> contestants, List<Row> rows, List<LatencyRow> latencies) {
    /** Copies the lists. */
    public Contest {
        contestants = List.copyOf(contestants);
        rows = List.copyOf(rows);
        latencies = List.copyOf(latencies);
    }

    /**
     * Of rates, times and sizes alone.
     *
     * @param name one word, by which it can be chosen
     * @param contestants in the order of their turns
     * @param rows what is compared
     */
    public Contest(final String name, final List<Contestant> contestants, final List<Row> rows) {
        this(name, contestants, rows, List.of());
    }

    /**
     * All rounds and their comparison.
     *
     * @param rounds how many
     * @param progress told before each turn, in a few words
     * @param afterRound told after each round how many are whole, with what came of all of them; a
     *     contest that is broken off has lost nothing but the round it was in
     */
    public void run(
            final int rounds,
            final Consumer<String> progress,
            final ObjIntConsumer<ContestOutcomes> afterRound) {
        final List<Map<String, Map<String, Double>>> figures = new ArrayList<>();
        final Map<String, String> failures = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            final Map<String, Map<String, Double>> measured = new LinkedHashMap<>();
            for (final Contestant contestant : contestants) {
                progress.accept(
                        "%s: round %d of %d, %s".formatted(name, round, rounds, contestant.name()));
                try {
                    measured.put(contestant.name(), contestant.measure());
                } catch (final NotMeasured e) {
                    progress.accept(contestant.name() + ": not measured: " + e.getMessage());
                    failures.putIfAbsent(contestant.name(), e.getMessage());
                }
            }
            figures.add(measured);
            afterRound.accept(
                    new ContestOutcomes(
                            rows.stream()
                                    .map(row -> ContestOutcome.of(name, row, figures, failures))
                                    .toList(),
                            latencies.stream()
                                    .map(row -> LatencyOutcome.of(name, row, figures))
                                    .toList()),
                    round);
        }
    }
}
