package io.tickmark.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OutcomeTableTest {
    private static final Row TRIP =
            Row.ratio("round trip", "64", "ours", "C", Unit.NANOSECONDS, new Goal.AtMost(1.1));

    private static List<String> lines(final ContestOutcome outcome) {
        return OutcomeTable.markdown(new ContestOutcomes(List.of(outcome), List.of()))
                .lines()
                .toList();
    }

    @Test
    void shouldShowMediansAndTheSpreadOfTheRatios() {
        final ContestOutcome outcome =
                new ContestOutcome(
                        "udp",
                        TRIP,
                        List.of(5000.0, 5200.0, 6000.0),
                        List.of(5000.0, 5000.0, 5000.0),
                        List.of(1.0, 1.04, 1.2),
                        Map.of());

        assertThat(lines(outcome).getLast())
                .isEqualTo(
                        "| round trip | 5.20 us | C | 5.00 us | 1.04 (1.00..1.20) | at most 1.1 | met |");
    }

    @Test
    void shouldSayThatAGoalIsMissed() {
        final ContestOutcome outcome =
                new ContestOutcome(
                        "udp", TRIP, List.of(120.0), List.of(100.0), List.of(1.2), Map.of());

        assertThat(lines(outcome).getLast()).endsWith("| **missed** |");
    }

    @Test
    void shouldJudgeNothingWhereThereIsNoGoal() {
        final Row row =
                Row.ratio("round trip", "p50", "ours", "C", Unit.NANOSECONDS, new Goal.Shown());
        final ContestOutcome outcome =
                new ContestOutcome(
                        "udp", row, List.of(120.0), List.of(100.0), List.of(1.2), Map.of());

        assertThat(outcome.isMet()).isTrue();
        assertThat(lines(outcome).getLast())
                .endsWith("| 1.20 (one round, no interval) | none | shown |");
    }

    @Test
    void shouldSayWhyAFigureIsMissing() {
        final ContestOutcome outcome =
                new ContestOutcome(
                        "udp", TRIP, List.of(), List.of(), List.of(), Map.of("C", "it died."));

        assertThat(lines(outcome))
                .anyMatch(line -> line.endsWith("| not measured |"))
                .contains("- C: it died.");
    }

    @Test
    void shouldShowAFigureWithItsUnitWhereThereIsNoPeer() {
        final Row row = Row.figure("cost", "ns", "ours", Unit.NANOSECONDS, new Goal.AtMost(50));
        final ContestOutcome outcome =
                new ContestOutcome("jmh", row, List.of(31.24), List.of(), List.of(31.24), Map.of());

        assertThat(lines(outcome).getLast())
                .isEqualTo(
                        "| cost | 31.2 ns |  |  | 31.2 ns (one round, no interval) | at most 50 ns | met |");
    }

    @Test
    void shouldShowHowNearARateWasHeld() {
        final Row row =
                Row.ratio("pace", "1000", "ours", "asked", Unit.PER_SECOND, new Goal.Near(0.001));
        final ContestOutcome outcome =
                new ContestOutcome(
                        "pace", row, List.of(999.98), List.of(1e3), List.of(0.99998), Map.of());

        assertThat(lines(outcome).getLast()).contains("| 0.99998 (one round, no interval) |");
    }

    @Test
    void shouldShowLatenciesInFullAndADashForWhatIsNotKnown() {
        final LatencyRow row = new LatencyRow("round trip", "ours", "64");
        final LatencyOutcome outcome =
                LatencyOutcome.of(
                        "udp",
                        row,
                        List.of(
                                Map.of("ours", Map.of("64 P50", 5_000.0, "64 MACHINE", 80.0)),
                                Map.of("ours", Map.of("64 P50", 6_000.0), "C", Map.of()),
                                Map.of("ours", Map.of("64 P50", 9_000.0, "700 P50", 1.0))));

        final String table =
                OutcomeTable.markdown(new ContestOutcomes(List.of(), List.of(outcome)));

        assertThat(table.lines().toList().getLast())
                .isEqualTo(
                        "| round trip | ours | 6.00 us | - | - | - | - | - | - | 80.0 %, -, -, - |");
    }
}
