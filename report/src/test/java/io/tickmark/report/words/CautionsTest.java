package io.tickmark.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.Trials;
import io.tickmark.report.text.Figures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CautionsTest {
    private static List<String> cautions(final TrialResult... rows) {
        return Cautions.of(Trials.run(rows), Figures.ASCII);
    }

    @Test
    void shouldWarnWhereNoiseCouldExplainTheTail() {
        assertThat(cautions(Trials.closedLoop().noise(27_360).row()))
                .containsExactly(
                        "Noise could explain the tail of latency on udp://127.0.0.1:0: the machine"
                                + " itself stood still for up to 27.4 us, and the 99.99th"
                                + " percentile is at most 36.5 us.");
    }

    @Test
    void shouldNotWarnWhereTheTailIsLongerThanTheNoise() {
        assertThat(cautions(Trials.closedLoop().noise(27_359).row())).isEmpty();
    }

    @Test
    void shouldSaySaturatedWithBothRates() {
        assertThat(cautions(Trials.openLoop().rate(1_000_000, 440_000).labels("saturated").row()))
                .containsExactly(
                        "latency on udp://127.0.0.1:0, 64 bytes, was saturated: 440 k/s of the"
                                + " 1.00 M/s it was asked for; its latency is the length of a"
                                + " queue, not a latency.");
    }

    @Test
    void shouldSayOversubscribedOnceForAllPlaces() {
        assertThat(
                        cautions(
                                Trials.closedLoop().hotThreads(4).row(),
                                Trials.closedLoop().repeat(2).hotThreads(4).row(),
                                Trials.closedLoop().channel("tcp:").hotThreads(4).row()))
                .containsExactly(
                        "Oversubscribed: 4 hot threads shared 2 cores in latency on"
                                + " udp://127.0.0.1:0, latency on tcp:; waiting for a core is part"
                                + " of those figures.");
    }

    @Test
    void shouldRepeatWhatRolesWarnOfOnce() {
        final TrialResult.RoleSummary role =
                new TrialResult.RoleSummary(
                        "latency-pub", 1, Map.of(), List.of("pinning was refused"));

        assertThat(cautions(Trials.closedLoop().roles(role, role).row()))
                .containsExactly("pinning was refused.");
    }
}
