package io.tickmark.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ContestOutcomeTest {
    private static final Row RATIO =
            Row.ratio("round trip", "64", "ours", "C", Unit.NANOSECONDS, new Goal.AtMost(1.1));
    private static final Row FIGURE =
            Row.figure("cost", "ns", "ours", Unit.NANOSECONDS, new Goal.AtMost(50));

    private static Map<String, Map<String, Double>> round(final double ours, final double peer) {
        return Map.of("ours", Map.of("64", ours), "C", Map.of("64", peer));
    }

    private static ContestOutcome outcome(
            final Row row, final List<Map<String, Map<String, Double>>> rounds) {
        return ContestOutcome.of("udp", row, rounds, Map.of());
    }

    @Test
    void shouldJudgeTheMedianOfTheRatiosAndNotTheRatioOfTheMedians() {
        // Medians 200 and 300; ratios 0.5, 2 and 1.5.
        final ContestOutcome outcome =
                outcome(RATIO, List.of(round(100, 200), round(800, 400), round(450, 300)));

        assertThat(ContestOutcome.spread(outcome.judged()).median()).isCloseTo(1.5, within(1e-9));
        assertThat(ContestOutcome.spread(outcome.judged()).min()).isCloseTo(0.5, within(1e-9));
        assertThat(ContestOutcome.spread(outcome.judged()).max()).isCloseTo(2, within(1e-9));
        assertThat(outcome.isMet()).isFalse();
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleTwoOfAnEvenNumberOfRounds() {
        final ContestOutcome outcome = outcome(RATIO, List.of(round(100, 100), round(120, 100)));

        assertThat(ContestOutcome.spread(outcome.judged()).median()).isCloseTo(1.1, within(1e-9));
    }

    @Test
    void shouldLeaveOutRoundsInWhichOneSideHasNoFigure() {
        final ContestOutcome outcome =
                outcome(
                        RATIO,
                        List.of(
                                round(100, 100),
                                Map.of("ours", Map.of("64", 500.0)),
                                Map.of("C", Map.of("64", 500.0))));

        assertThat(outcome.ours()).containsExactly(100.0);
        assertThat(outcome.peer()).containsExactly(100.0);
        assertThat(outcome.judged()).containsExactly(1.0);
    }

    @Test
    void shouldLeaveOutRoundsInWhichThePeerMeasuredNothing() {
        assertThat(outcome(RATIO, List.of(round(100, 0))).isMeasured()).isFalse();
    }

    @Test
    void shouldNotMeetAGoalWithoutAnyFigure() {
        final ContestOutcome outcome =
                ContestOutcome.of(
                        "udp", RATIO, List.of(Map.of()), Map.of("C", "gone", "other", "late"));

        assertThat(outcome.isMet()).isFalse();
        assertThat(outcome.failures()).containsExactly(Map.entry("C", "gone"));
    }

    @Test
    void shouldJudgeTheFigureItselfWhereThereIsNoPeer() {
        final ContestOutcome outcome =
                outcome(FIGURE, List.of(Map.of("ours", Map.of("ns", 31.5, "bytes", 0.0))));

        assertThat(outcome.judged()).containsExactly(31.5);
        assertThat(outcome.peer()).isEmpty();
        assertThat(outcome.isMet()).isTrue();
    }
}
