package io.tickmark.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.report.Trials;
import io.tickmark.report.text.Figures;
import io.tickmark.report.words.KeyFigures.KeyFigure;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyFiguresTest {
    @Test
    void shouldPickBestAndWorst() {
        assertThat(
                        KeyFigures.of(
                                Trials.run(
                                        Trials.closedLoop().noise(50_000).row(),
                                        Trials.closedLoop()
                                                .channel("shm:")
                                                .roundTrip(Trials.latency(240))
                                                .row(),
                                        Trials.stream().rate(0, 8.4e6).lost(3).row(),
                                        Trials.stream().channel("tcp:").rate(0, 440_000).row()),
                                Figures.ASCII))
                .containsExactly(
                        new KeyFigure("Lowest median round trip", "240 ns", "shm:, 64 bytes"),
                        new KeyFigure("Longest latency", "91.2 us", "udp://127.0.0.1:0, 64 bytes"),
                        new KeyFigure("Highest rate, nothing lost", "440 k/s", "tcp:, 64 bytes"),
                        new KeyFigure("Messages lost", "3", "of 4,000 expected"),
                        new KeyFigure(
                                "Noise floor", "50.0 us", "longest gap of the machine itself"));
    }

    @Test
    void shouldNotBoastOfVoidRows() {
        assertThat(figures(Trials.closedLoop().verdict(Verdict.VOID, "lost").row())).isEmpty();
    }

    @Test
    void shouldCountLossesOnlyWhereSomebodyKnowsThem() {
        assertThat(figures(Trials.stream().withoutReceiver().row()))
                .extracting(KeyFigure::label)
                .doesNotContain("Messages lost");
        assertThat(
                        figures(
                                Trials.stream().lost(3).row(),
                                Trials.stream().repeat(2).lost(9).verdict(Verdict.VOID, "x").row(),
                                Trials.stream().channel("tcp:").withoutReceiver().row()))
                .contains(new KeyFigure("Messages lost", "3", "of 1,000 expected"));
    }

    /** Such a row passes: its publisher did not send what is missing. */
    @Test
    void shouldNotHoldLossesOnPurposeAgainstARow() {
        assertThat(
                        figures(
                                Trials.stream()
                                        .rate(0, 8.4e6)
                                        .lost(10)
                                        .count(Counts.LOST_ON_PURPOSE, 10)
                                        .row(),
                                Trials.stream().channel("tcp:").rate(0, 440_000).row()))
                .contains(
                        new KeyFigure(
                                "Highest rate, nothing lost",
                                "8.40 M/s",
                                "udp://127.0.0.1:0, 64 bytes"),
                        new KeyFigure(
                                "Messages lost",
                                "none",
                                "of 2,000 expected, besides 10 on purpose"));
        assertThat(figures(Trials.stream().lost(13).count(Counts.LOST_ON_PURPOSE, 10).row()))
                .extracting(KeyFigure::value)
                .contains("3");
    }

    @Test
    void shouldMakeNoHeadlineOfTheLatencyOfAQueue() {
        assertThat(
                        figures(
                                Trials.openLoop().labels("saturated").row(),
                                Trials.closedLoop().test("b").labels("saturated").row(),
                                Trials.general().labels("saturated").row()))
                .extracting(KeyFigure::label)
                .containsExactly("Messages lost");
    }

    private static List<KeyFigure> figures(final TrialResult... rows) {
        return KeyFigures.of(Trials.run(rows), Figures.ASCII);
    }
}
