package io.tickmark.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TailSummary.WatchedThread;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.Trials;
import io.tickmark.report.text.Figures;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CautionsTest {
    private static List<String> cautions(final TrialResult... rows) {
        return Cautions.of(Trials.run(rows), Figures.ASCII);
    }

    @Test
    void shouldWarnWhereTheRunFoundNoiseInTheTail() {
        assertThat(cautions(Trials.closedLoop().noise(27_360).labels("noisy").row()))
                .containsExactly(
                        "Noise could explain the tail (99.9 % and above) of latency on udp://127.0.0.1:0: the machine itself "
                                + "stalled for up to 27.4 us, and the 99.9th percentile there is at most 18.2 us.");
    }

    /** Held rate or not: it is why the tail is long, and nothing was dropped on purpose. */
    @Test
    void shouldSayWhatAnEngineLostAndRepairedByItself() {
        assertThat(cautions(repairing(0, 41)))
                .containsExactly(
                        "The engine repaired losses on the way, warm-up included: stream on udp://127.0.0.1:0 42 times."
                                + " The latencies include the time of those in the measurement. On one host this happens"
                                + " where a receiver's socket buffer is full; a larger one avoids it.");
        assertThat(cautions(repairing(0.01, 41))).isEmpty();
        assertThat(cautions(repairing(0, -1))).isEmpty();
    }

    @Test
    void shouldSayOfHowManyPingsTheServiceTimeIsMissing() {
        final TrialResult row = Trials.openLoop().count("sendTimeNotKept", 3).row();

        assertThat(cautions(row))
                .containsExactly(
                        "latency on udp://127.0.0.1:0, 64 bytes: 3 pings have no service time: more were in flight than"
                                + " send times are kept for.");
        assertThat(cautions(Trials.openLoop().count("sendTimeNotKept", 0).row())).isEmpty();
    }

    /** An external driver counted once for each role that used it, and for each step. */
    @Test
    void shouldCountTheRepairsOfADriverOnceHoweverManyRolesAndStepsItServed() {
        final RoleSummary[] roles = {
            receiving(1, "/dev/shm/a", "", 40),
            receiving(2, "/dev/shm/a", "", 42),
            receiving(3, "/dev/shm/b", "", 100),
            receiving(4, "/dev/shm/a", "there", 1_000)
        };
        final TrialResult[] rows = {
            Trials.stream().roles(roles).size(0, 64).row(),
            Trials.stream().roles(roles).size(1, 128).row(),
            Trials.stream().roles(roles).size(0, 64).repeat(2).row(),
        };
        assertThat(cautions(rows))
                .singleElement()
                .asString()
                .contains("stream on udp://127.0.0.1:0 2,284 times.");
    }

    private static RoleSummary receiving(
            final int index, final String driver, final String host, final long naks) {
        return new RoleSummary(
                "stream-sub",
                index,
                Map.of("driverDirectory", driver, RoleSummary.HOST, host, "naksSent", naks),
                List.of());
    }

    private static TrialResult repairing(final double lossPart, final long retransmits) {
        return Trials.stream()
                .roles(
                        new RoleSummary(
                                "stream-pub",
                                1,
                                Map.of("lossPart", lossPart, "retransmitsSent", retransmits + 1),
                                List.of()))
                .row();
    }

    /** It breaks no criterion: the verdict's reasons are no place for it. */
    @Test
    void shouldSayOnceForEachChannelWhoseCoreAnotherTaskMayHaveHad() {
        assertThat(cautions(perhapsTaken(0.31), perhapsTaken(0.78), Trials.stream().row()))
                .containsExactly(
                        "latency on udp://127.0.0.1:0: for up to 78 % of the time another task ran on the core of latency-pub"
                                + " 1, publisher; whether it was one of the test's own cannot be told, because context"
                                + " switches have no timestamps.");
    }

    /** It named the one with the larger part that cannot be told, and that part alone. */
    @Test
    void shouldNameTheThreadThatMayHaveLostItsCoreForLongest() {
        assertThat(
                        cautions(
                                perhapsTaken(
                                        thread("publisher", 40, 0, 0.19, 0.05),
                                        thread("echo", 40, 0, 0, 0.10))))
                .containsExactly(
                        "latency on udp://127.0.0.1:0: for up to 19 % of the time other tasks or the hypervisor used"
                                + " the core of latency-pub 1, publisher, and for 5 % more another task ran on it;"
                                + " whether it was one of the test's own cannot be told, because context switches have"
                                + " no timestamps.");
    }

    /** Nobody knows that another task had it: stalls were not noted, or cannot be read. */
    @Test
    void shouldNotSayThatAnotherTaskHadACoreWhereNotesAreMissing() {
        final String end =
                "; whether one did, and whether that was one of the test's own, cannot be told,"
                        + " because context switches have no timestamps.";
        assertThat(cautions(perhapsTaken(thread("each of its threads", 0, 0, 0, 1))))
                .containsExactly(
                        "latency on udp://127.0.0.1:0: for up to 100 % of the time another task may have run on the core of"
                                + " latency-pub 1, each of its threads"
                                + end);
        assertThat(cautions(perhapsTaken(thread("publisher", 40, 3, 0.1, 0.3))))
                .singleElement()
                .asString()
                .endsWith("and for 30 % more another task may have run on it" + end);
    }

    private static WatchedThread thread(
            final String name,
            final long stalls,
            final long notNoted,
            final double takenPart,
            final double unattributedPart) {
        return new WatchedThread(
                "latency-pub",
                1,
                name,
                1,
                stalls,
                stalls,
                notNoted,
                takenPart,
                "",
                unattributedPart,
                "context switches have no timestamps");
    }

    private static TrialResult perhapsTaken(final double part) {
        return perhapsTaken(thread("publisher", 1, 0, 0, part));
    }

    private static TrialResult perhapsTaken(final WatchedThread... threads) {
        final TrialResult row = Trials.closedLoop().row();
        return row.withTail(
                new TailSummary(
                        1_000,
                        1_000,
                        1,
                        List.of(),
                        List.of(threads),
                        List.of(),
                        List.of(),
                        List.of(),
                        new Undisturbed(0, "no", null),
                        List.of(),
                        "",
                        ""),
                List.of(Labels.PERHAPS_TAKEN));
    }

    /** Of 200 latencies the longest is no 99.9th percentile. */
    @Test
    void shouldNotCallTheLongestAPercentile() {
        final LatencySummary few =
                new LatencySummary(
                        200,
                        9_000,
                        11_000,
                        500,
                        OptionalLong.of(10_000),
                        OptionalLong.of(11_000),
                        OptionalLong.of(11_500),
                        OptionalLong.of(11_900),
                        OptionalLong.of(11_900),
                        OptionalLong.of(11_900),
                        11_900);
        assertThat(cautions(Trials.closedLoop().roundTrip(few).noise(27_360).labels("noisy").row()))
                .containsExactly(
                        "Noise could explain the tail (99.9 % and above) of latency on udp://127.0.0.1:0: the machine itself "
                                + "stalled for up to 27.4 us, and the longest latency of fewer than 10,000 is 11.9 us.");
    }

    @Test
    void shouldWarnOfNoiseInOneSentenceForAllTests() {
        assertThat(
                        cautions(
                                Trials.closedLoop().noise(90_000).labels("noisy").row(),
                                Trials.closedLoop()
                                        .channel("tcp:")
                                        .noise(90_000)
                                        .labels("noisy")
                                        .row(),
                                Trials.stream().noise(95_000).labels("noisy").row(),
                                Trials.stream().channel("tcp:").noise(99_000).row()))
                .containsExactly(
                        "Noise could explain the tail (99.9 % and above) of latency on all 2 channels; of stream on "
                                + "udp://127.0.0.1:0: the machine itself stalled for up to 95.0 us, and the 99.9th "
                                + "percentile there is at most 24.0 us.");
    }

    @Test
    void shouldSaySaturatedWithBothRates() {
        assertThat(cautions(Trials.openLoop().rate(1_000_000, 440_000).labels("saturated").row()))
                .containsExactly(
                        "latency on udp://127.0.0.1:0, 64 bytes, was saturated: 440 k/s of the 1.00 M/s it was asked for; "
                                + "its latency shows how long a queue had grown, not how fast messages travel.");
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
    void shouldSayHowManyLatenciesAreInNoFigure() {
        assertThat(
                        cautions(
                                Trials.openLoop()
                                        .count("latencyNotPositive", 3)
                                        .count("latencyOutOfRange", 1)
                                        .row()))
                .containsExactly(
                        "latency on udp://127.0.0.1:0, 64 bytes: 4 latencies were zero, negative or above an hour, so no figure"
                                + " has them: the clocks disagree, or the time stamps are too coarse.");
    }

    @Test
    void shouldSayAfterHowManyFaultsNothingCame() {
        assertThat(cautions(Trials.openLoop().count("notRecovered", 1).row()))
                .containsExactly(
                        "latency on udp://127.0.0.1:0: after 1 planned fault at least one receiver got no more messages, "
                                + "or none on one of its streams.");
    }

    @Test
    void shouldRepeatWhatRolesWarnOfOnce() {
        final TrialResult.RoleSummary role =
                new TrialResult.RoleSummary(
                        "latency-pub", 1, Map.of(), List.of("pinning was refused"));

        assertThat(cautions(Trials.closedLoop().roles(role, role).row()))
                .containsExactly("pinning was refused.");
    }

    @Test
    void shouldSayOnWhichHostARoleIsWorried() {
        final TrialResult.RoleSummary role =
                new TrialResult.RoleSummary(
                        "latency-pub", 1, Map.of("host", "h2"), List.of("pinning was refused"));

        assertThat(cautions(Trials.closedLoop().roles(role).row()))
                .containsExactly("On h2: pinning was refused.");
    }

    @Test
    void shouldSayWhoKeepsTheClocksBesideTheirBounds() {
        assertThat(
                        cautions(
                                Trials.closedLoop()
                                        .roles(
                                                on("h2", 12_000, "chronyd, synchronised"),
                                                on("h3", 9_000, ""))
                                        .row()))
                .singleElement()
                .asString()
                .contains(
                        "12.0 us (h2, clock daemon: chronyd, synchronised), 9.00 us (h3) with that");
    }

    private static TrialResult.RoleSummary on(
            final String host, final long boundNs, final String keeper) {
        return new TrialResult.RoleSummary(
                "latency-pub",
                1,
                Map.of("host", host, "clockBoundNs", boundNs, "clockKeptBy", keeper),
                List.of());
    }
}
