package io.tickmark.report.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.report.Trials;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LossFiguresTest {
    private static Trials trial(final double part, final long retransmits) {
        return Trials.stream()
                .channel("aeron:udp?endpoint=127.0.0.1:0|lossPart=" + part)
                .roles(
                        new RoleSummary(
                                "stream-pub",
                                1,
                                Map.of("lossPart", part, "retransmitsSent", retransmits),
                                List.of()),
                        new RoleSummary(
                                "stream-sub",
                                1,
                                Map.of("naksSent", retransmits + 1, "retransmitsSent", 0L),
                                List.of()));
    }

    private static SideTable figures(final Trials... trials) {
        return LossFigures.of(
                        Block.of(
                                Trials.run(
                                        Stream.of(trials)
                                                .map(Trials::row)
                                                .toArray(TrialResult[]::new))))
                .orElseThrow();
    }

    @Test
    void shouldCountRepairedAndUnrepairedApart() {
        assertThat(figures(trial(0.05, 41).lost(3)).rows().getFirst())
                .containsSequence("5.00 %", "42", "41", "0", "3");
    }

    @Test
    void shouldLeaveOutWhatWasLostOnPurpose() {
        final Trials trial = trial(0, 41).lost(13).count(Counts.LOST_ON_PURPOSE, 10);

        assertThat(figures(trial).rows().getFirst()).containsSequence("0 %", "42", "41", "0", "3");
    }

    /** Each row of a trial repeats what its roles report of all of it. */
    @Test
    void shouldSayOnceWhatWasRepairedInATrialOfSeveralSteps() {
        final SideTable table =
                figures(
                        trial(0, 41).size(0, 64).lost(3),
                        trial(0, 41).size(1, 512).lost(5),
                        trial(0, 10).size(1, 512).repeat(2));

        assertThat(table.columns())
                .containsSequence(
                        "NAKs, all steps", "retransmits, all steps", "gaps given up, all steps");
        assertThat(table.rows().getFirst()).containsSequence("0 %", "53", "51", "0", "3");
        assertThat(table.rows().getLast())
                .containsSequence("0 %", "as above", "as above", "as above", "5");
    }

    @Test
    void shouldShowWhatWasRepairedOfEachChannel() {
        final SideTable table = figures(trial(0.05, 41), trial(0.1, 7));

        assertThat(table.columns()).contains("NAKs", "retransmits");
        assertThat(table.rows().getLast()).containsSequence("10.0 %", "8", "7", "0");
    }

    @Test
    void shouldFindTheRepairLimit() {
        assertThat(
                        figures(
                                        trial(0, 0),
                                        trial(0.3, 900).rate(100_000, 90_000),
                                        trial(0.1, 100),
                                        trial(0.5, 1).lost(7))
                                .title())
                .endsWith(
                        "repair limit: everything was repaired at the requested rate up to 10.0 %, not at 30.0 %");
    }

    @Test
    void shouldSayThatThereIsNoRepairLimit() {
        assertThat(figures(trial(0, 0), trial(0.1, 100)).title())
                .endsWith("no repair limit up to 10.0 %");
    }

    @Test
    void shouldSayWhereNothingHeldThatNoRepairLimitWasFound() {
        assertThat(figures(trial(0, 0).lost(2), trial(0.1, 100).lost(9)).title())
                .endsWith(
                        "; repair limit not found: already at 0 % injected loss, messages went missing"
                                + " or the rate was not held");
    }

    @Test
    void shouldNotSayOfAVoidRowThatNothingWasLostForGoodNorLetItHold() {
        final SideTable table =
                figures(
                        trial(0, 0),
                        trial(0.1, 100),
                        trial(0.4, 9).verdict(Verdict.VOID, "it died"));

        assertThat(table.title())
                .endsWith("no repair limit up to 10.0 % (nothing is known of 40.0 %)");
        assertThat(table.rows().getLast()).endsWith("0", "void", "n/a");
    }

    @Test
    void shouldSayWhereAllRowsAreVoidThatNothingIsKnown() {
        assertThat(
                        figures(
                                        trial(0, 1).verdict(Verdict.VOID, "it died"),
                                        trial(0.1, 5).verdict(Verdict.VOID, "it died"))
                                .title())
                .endsWith("; repair limit not found (nothing is known of 0 %, 10.0 %)");
    }

    @Test
    void shouldNotSayOfAPublisherAloneWhatWasLostForGood() {
        assertThat(figures(trial(0.1, 5).withoutReceiver()).rows().getFirst())
                .endsWith("n/a", "100,000");
    }

    @Test
    void shouldSayNothingWhereNothingHadToBeRepaired() {
        assertThat(LossFigures.of(Block.of(Trials.run(trial(0, 0).row())))).isEmpty();
        assertThat(LossFigures.of(Block.of(Trials.run(Trials.stream().row())))).isEmpty();
    }
}
