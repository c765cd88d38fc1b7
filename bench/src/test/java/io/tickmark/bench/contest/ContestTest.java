package io.tickmark.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class ContestTest {
    private final List<String> turns = new ArrayList<>();

    private Contestant contestant(final String name, final Supplier<Double> figure) {
        return new Contestant() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Map<String, Double> measure() {
                turns.add(name);
                return Map.of("64", figure.get());
            }
        };
    }

    private static Row row() {
        return Row.ratio("rate", "64", "A", "B", Unit.PER_SECOND, new Goal.AtLeast(0.9));
    }

    private Contest nineAgainstTen() {
        return new Contest(
                "stream",
                List.of(contestant("A", () -> 9.0), contestant("B", () -> 10.0)),
                List.of(row()));
    }

    private static ContestOutcome last(final Contest contest, final int rounds) {
        final List<ContestOutcome> after = new ArrayList<>();
        contest.run(rounds, line -> {}, (outcomes, round) -> after.add(outcomes.rows().getFirst()));
        assertThat(after).hasSize(rounds);
        return after.getLast();
    }

    @Test
    void shouldReportEachWholeRound() {
        final Contest contest = nineAgainstTen();
        final List<Integer> figures = new ArrayList<>();

        contest.run(
                3,
                line -> {},
                (outcomes, round) -> {
                    assertThat(turns).hasSize(2 * round);
                    figures.add(outcomes.rows().getFirst().judged().size());
                });

        assertThat(figures).containsExactly(1, 2, 3);
    }

    @Test
    void shouldMeasureInTurn() {
        final Contest contest = nineAgainstTen();

        final ContestOutcome outcome = last(contest, 3);

        assertThat(turns).containsExactly("A", "B", "A", "B", "A", "B");
        assertThat(outcome.judged()).containsExactly(0.9, 0.9, 0.9);
        assertThat(outcome.isMet()).isTrue();
    }

    @Test
    void shouldGoOnWhenOneIsNotMeasuredAndKeepTheReason() {
        final Contestant failing =
                contestant(
                        "B",
                        () -> {
                            throw new NotMeasured("B took more than 60 s.");
                        });
        final Contest contest =
                new Contest("stream", List.of(contestant("A", () -> 9.0), failing), List.of(row()));

        final ContestOutcome outcome = last(contest, 2);

        assertThat(turns).containsExactly("A", "B", "A", "B");
        assertThat(outcome.isMeasured()).isFalse();
        assertThat(outcome.failures()).containsEntry("B", "B took more than 60 s.");
    }
}
