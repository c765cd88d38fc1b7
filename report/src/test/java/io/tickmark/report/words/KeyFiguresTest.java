package io.tickmark.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.report.Trials;
import io.tickmark.report.text.Figures;
import io.tickmark.report.words.KeyFigures.KeyFigure;
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
        assertThat(
                        KeyFigures.of(
                                Trials.run(Trials.closedLoop().verdict(Verdict.VOID, "lost").row()),
                                Figures.ASCII))
                .extracting(KeyFigure::label)
                .containsExactly("Messages lost");
    }
}
