package io.tickmark.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.report.Trials;
import io.tickmark.report.text.Figures;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunSentencesTest {
    private static List<String> sentences(final TrialResult... rows) {
        return RunSentences.of(Trials.run(rows), Figures.ASCII);
    }

    @Test
    void shouldNameBestAndWorstChannelOfALatencyTest() {
        assertThat(
                        sentences(
                                Trials.closedLoop().row(),
                                Trials.closedLoop()
                                        .channel("shm:")
                                        .roundTrip(Trials.latency(240))
                                        .row()))
                .containsExactly(
                        "Measured: 1 test on 2 channels (udp://127.0.0.1:0, shm:), 2 trials in"
                                + " all.",
                        "latency: at 64 bytes the median round trip was lowest on shm:, 240 ns (99"
                                + " % within 360 ns), and highest on udp://127.0.0.1:0, 9.12 us,"
                                + " 38.0 times as long.",
                        "Nothing was lost, duplicated or reordered in 2,000 messages.");
    }

    /** Only the pings know: a foreign echo does not report what it received. */
    @Test
    void shouldNotSayThatNothingWasLostWherePingsHadNoEcho() {
        final TrialResult row = Trials.openLoop().sent(100_000).foreignEcho(89_160).row();

        assertThat(sentences(row))
                .last()
                .isEqualTo(
                        "Of 100,000 expected messages, 89,160 had no echo in time (udp://127.0.0.1:0).");
        assertThat(RunSentences.besideOverview(Trials.run(row), Figures.ASCII)).hasSize(1);
        assertThat(RunSentences.besideOverview(Trials.run(Trials.openLoop().row()), Figures.ASCII))
                .as("the overview shows that nothing was lost")
                .isEmpty();
    }

    @Test
    void shouldSayHowManyLosingChannelsItDoesNotName() {
        final TrialResult[] rows =
                IntStream.rangeClosed(1, 8)
                        .mapToObj(n -> Trials.stream().channel("tcp:" + n).lost(1).row())
                        .toArray(TrialResult[]::new);

        assertThat(sentences(rows))
                .last()
                .isEqualTo(
                        "Of 8,000 expected messages, 8 were lost"
                                + " (tcp:1, tcp:2, tcp:3, tcp:4, tcp:5, tcp:6 and 2 more).");
    }

    /** The terminal printed all lines and no word on how they compare. */
    @Test
    void shouldCompareTheChannelsOfTheOnlyTestBesideItsLines() {
        final TrialResult slow = Trials.closedLoop().row();
        final TrialResult fast =
                Trials.closedLoop().channel("shm:").roundTrip(Trials.latency(240)).row();

        assertThat(RunSentences.besideOverview(Trials.run(slow, fast), Figures.ASCII))
                .containsExactly(
                        "latency: at 64 bytes the median round trip was lowest on shm:, 240 ns (99"
                                + " % within 360 ns), and highest on udp://127.0.0.1:0, 9.12 us,"
                                + " 38.0 times as long.");
        assertThat(
                        RunSentences.besideOverview(
                                Trials.run(slow, Trials.openLoop().test("other").row()),
                                Figures.ASCII))
                .as("of several tests their lines say it")
                .isEmpty();
    }

    @Test
    void shouldCountALostPingOnce() {
        assertThat(sentences(Trials.openLoop().lost(3).count(Counts.TIMED_OUT, 3).row()))
                .last()
                .isEqualTo("Of 1,000 expected messages, 3 were lost (udp://127.0.0.1:0).");
    }

    @Test
    void shouldNotSayOfAPublisherAloneThatNothingWasLost() {
        assertThat(sentences(Trials.stream().withoutReceiver().row()))
                .containsExactly(
                        "Measured: 1 test on 1 channel (udp://127.0.0.1:0), 1 trial in all.",
                        "stream on udp://127.0.0.1:0 sent 100 k/s of 64 bytes; the subscribers report how much of it arrived.");
    }

    @Test
    void shouldNotSayOfASubscriberAloneHowItWasSent() {
        assertThat(sentences(Trials.stream().rate(0, 0).row()))
                .containsExactly(
                        "Measured: 1 test on 1 channel (udp://127.0.0.1:0), 1 trial in all.",
                        "Nothing was lost, duplicated or reordered in 1,000 messages.");
    }

    @Test
    void shouldLeaveTheLossOfAVoidTrialToTheVerdictAndNameATestThatHasNoChannel() {
        assertThat(
                        sentences(
                                Trials.stream()
                                        .channel("tcp:")
                                        .lost(9)
                                        .verdict(Verdict.VOID, "it died")
                                        .row(),
                                Trials.stream().channel("").lost(12).row()))
                .contains(
                        "Of 1,000 expected messages, 12 were lost (stream). What 1 void row lost is not"
                                + " known.");
    }

    @Test
    void shouldReportTheLastOfStepsThatHaveNames() {
        assertThat(
                        sentences(
                                Trials.openLoop().label(0, "startup").row(),
                                Trials.openLoop().label(1, "steady state").row()))
                .anyMatch(words -> words.contains(" at steady state, 99 % within"))
                .noneMatch(words -> words.contains("startup"));
    }

    @Test
    void shouldReportASingleChannelByItself() {
        assertThat(sentences(Trials.openLoop().row()))
                .contains(
                        "latency on udp://127.0.0.1:0: median response time 12.0 us at 64 bytes,"
                                + " 99 % within 18.0 us, the longest 120 us.");
    }

    @Test
    void shouldCompareLatenciesOnlyWhereTheRateWasHeld() {
        assertThat(
                        sentences(
                                Trials.openLoop().row(),
                                Trials.openLoop()
                                        .channel("tcp:")
                                        .response(Trials.latency(900))
                                        .labels("saturated")
                                        .row()))
                .contains(
                        "latency on udp://127.0.0.1:0: median response time 12.0 us at 64 bytes,"
                                + " 99 % within 18.0 us, the longest 120 us.");
        assertThat(sentences(Trials.openLoop().labels("saturated").row()))
                .contains(
                        "latency: at 64 bytes the rate was not sustained, so the latency is that of a growing queue.");
    }

    @Test
    void shouldCompareStreamsByRateWithTheirLoss() {
        assertThat(
                        sentences(
                                Trials.stream().rate(0, 8_400_000).row(),
                                Trials.stream().channel("tcp:").rate(0, 440_000).lost(12).row()))
                .contains(
                        "stream on udp://127.0.0.1:0 sent 8.40 M/s of 64 bytes with nothing lost;"
                                + " least was 440 k/s on tcp: with 1.20 % lost.",
                        "Of 2,000 expected messages, 12 were lost (tcp:).");
    }

    @Test
    void shouldSayWhatOfTheLossWasOnPurpose() {
        assertThat(sentences(Trials.stream().lost(12).count(Counts.LOST_ON_PURPOSE, 10).row()))
                .contains(
                        "Of 1,000 expected messages, 12 were lost, 10 on purpose (udp://127.0.0.1:0).");
    }

    /** Such a row passes: its publisher did not send what is missing. */
    @Test
    void shouldNotHoldLossesOnPurposeAgainstAChannel() {
        final TrialResult row = Trials.stream().lost(10).count(Counts.LOST_ON_PURPOSE, 10).row();
        final Trials other = Trials.stream().channel("tcp:").count(Counts.LOST_ON_PURPOSE, 10);
        final String test = "stream: ";

        assertThat(sentences(row))
                .contains(
                        "stream on udp://127.0.0.1:0 sent 100 k/s of 64 bytes with nothing lost except on purpose.");
        assertThat(sentences(row, other.lost(10).row()))
                .contains(
                        test
                                + "both held 100 k/s of 64 bytes with nothing lost except on purpose.");
        assertThat(sentences(row, other.lost(15).row()))
                .contains(
                        test
                                + "1 of 2 held 100 k/s of 64 bytes with nothing lost except on purpose; tcp:"
                                + " ended with 0.500 % lost.");
    }

    @Test
    void shouldSayOfAPacedStreamWhoDidNotHoldItOrLost() {
        assertThat(
                        sentences(
                                Trials.stream().row(),
                                Trials.stream().channel("shm:").row(),
                                Trials.stream().channel("tcp:").lost(5).row(),
                                Trials.stream()
                                        .channel("aeron:udp")
                                        .rate(100_000, 80_000)
                                        .labels("saturated")
                                        .row()))
                .contains(
                        "stream: 2 of 4 held 100 k/s of 64 bytes with nothing lost; tcp: ended"
                                + " with 0.500 % lost, aeron:udp reached only 80,000/s.");
    }

    @Test
    void shouldNotCallARateHeldThatWasNotSentThoughThePlanLetsItPass() {
        assertThat(
                        sentences(
                                Trials.stream().rate(20_000, 20_000).row(),
                                Trials.stream().channel("tcp:").rate(20_000, 5_194).row()))
                .contains(
                        "stream: 1 of 2 held 20,000/s of 64 bytes with nothing lost; tcp: reached only"
                                + " 5,194/s.");
    }
}
