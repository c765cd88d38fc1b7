package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.run.Machines;
import io.tickmark.kernel.host.SettingCosts;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.verdict.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class QuickCommandTest {
    private static final SettingCosts.Interruptions TICKS =
            new SettingCosts.Interruptions(1_251, 0.0042);

    private static final SettingCosts.MovedInterrupts UNMOVED =
            new SettingCosts.MovedInterrupts(3, 0, Optional.empty(), "permission denied");

    /** A machine whose settings are all as they should be. */
    private static final SettingCosts NOTHING =
            new SettingCosts(
                    24.6,
                    new SettingCosts.Interruptions(0, 0),
                    UNMOVED,
                    0,
                    OptionalLong.of(0),
                    "",
                    1,
                    OptionalDouble.empty(),
                    "it is the fastest",
                    OptionalDouble.empty(),
                    "");

    @Test
    void shouldSayWhatEachSettingCostsTheCostliestFirst() {
        final SettingCosts costs =
                new SettingCosts(
                        24.6,
                        TICKS,
                        new SettingCosts.MovedInterrupts(
                                3,
                                2,
                                Optional.of(new SettingCosts.Interruptions(1_004, 0.0031)),
                                ""),
                        61_000,
                        OptionalLong.of(9_000),
                        "",
                        0.55,
                        OptionalDouble.of(0.98),
                        "",
                        OptionalDouble.of(0.61),
                        "");

        assertThat(
                        QuickCommand.costs(
                                costs,
                                Map.of(
                                        "kernel", Map.of("clockSource", "tsc"),
                                        "cpu",
                                                Map.of(
                                                        "governor",
                                                        "powersave",
                                                        "idleStates",
                                                        List.of("C1 2 us", "C6 133 us")))))
                .containsExactly(
                        "Sleep states (C1 2 us, C6 133 us): 52.0 us; a thread that sleeps for 200 us wakes 61.0 us late;"
                                + " switched here, with cores kept awake, 9.00 us.",
                        "Governor (powersave): 7.98 us; after 20.0 ms without work a core has 55.0 % of its speed at first;"
                                + " switched here, to performance, it has 98.0 % of its speed then.",
                        "Siblings: 6.39 us; a core has 61.0 % of its speed while its sibling is busy; switched here.",
                        "Interrupts and other disturbances: 3.36 us each; a thread that spins is held up 1,251 times a second,"
                                + " for 0.420 % of the time; switched here, with 2 of 3 interrupts of devices on other cores,"
                                + " 1,004 times, for 0.310 %.",
                        "Clock (tsc): 49.0 ns for two readings; not switched, as all programs use it.");
    }

    @Test
    void shouldSayWhatCouldNotBeSwitched() {
        final SettingCosts costs =
                new SettingCosts(
                        24.6,
                        new SettingCosts.Interruptions(0, 0),
                        UNMOVED,
                        61_000,
                        OptionalLong.empty(),
                        "permission denied",
                        1.01,
                        OptionalDouble.empty(),
                        "none is seen",
                        OptionalDouble.empty(),
                        "Not pinned to core 3: invalid argument.");

        assertThat(QuickCommand.costs(costs, Map.of()))
                .contains(
                        "Sleep states: at most 61.0 us; a thread that sleeps for 200 us wakes 61.0 us late; not switchable"
                                + " here (permission denied).",
                        "Governor: at most 0 ns; after 20.0 ms without work a core has all of its speed at first, within the"
                                + " noise; not switchable here (none is seen).",
                        "Siblings: not switchable here. Not pinned to core 3: invalid argument.",
                        "Interrupts and other disturbances: 0 ns each; a thread that spins is held up 0 times a second, for"
                                + " 0 % of the time; not switchable here (permission denied; './tickmark cores' finds"
                                + " quieter cores).");
    }

    /** It came second, with all of the time that threads were woken late. */
    @Test
    void shouldTakeForTheCostOfASettingOnlyWhatSwitchingItSaves() {
        final SettingCosts costs =
                new SettingCosts(
                        24.6,
                        TICKS,
                        UNMOVED,
                        19_400,
                        OptionalLong.of(24_200),
                        "",
                        0.55,
                        OptionalDouble.of(0.54),
                        "",
                        OptionalDouble.of(0.61),
                        "");

        final List<String> sentences = QuickCommand.costs(costs, Map.of());

        assertThat(sentences)
                .extracting(sentence -> sentence.substring(0, sentence.indexOf(':')))
                .containsExactly(
                        "Siblings",
                        "Interrupts and other disturbances",
                        "Clock",
                        "Sleep states",
                        "Governor");
        assertThat(sentences.get(3))
                .isEqualTo(
                        "Sleep states: 0 ns, within the noise; a thread that sleeps for 200 us wakes 19.4 us late; switched"
                                + " here, with cores kept awake, 24.2 us.");
        assertThat(sentences.getLast())
                .startsWith("Governor: 0 ns, within the noise; after 20.0 ms");
    }

    @Test
    void shouldKeepWhatIsLeftOfInterruptionsOnceInterruptsAreMoved() {
        final SettingCosts costs =
                new SettingCosts(
                        24.6,
                        TICKS,
                        new SettingCosts.MovedInterrupts(
                                3,
                                2,
                                Optional.of(new SettingCosts.Interruptions(1_004, 0.0031)),
                                ""),
                        0,
                        OptionalLong.of(0),
                        "",
                        1,
                        OptionalDouble.empty(),
                        "it is the fastest",
                        OptionalDouble.empty(),
                        "");

        assertThat(
                        QuickCommand.machine(
                                        run(floor(1, 900, 34_400_000)),
                                        costs,
                                        Map.of(),
                                        List.of(),
                                        0)
                                .figures())
                .containsEntry("interruptionsPerSecond", 1_251.0)
                .containsEntry("interruptedPart", 0.0042)
                .containsEntry("movedInterrupts", 2)
                .containsEntry("leftInterruptionsPerSecond", 1_004.0)
                .containsEntry("leftInterruptedPart", 0.0031);
        assertThat(answerOf(floor(1, 900, 34_400_000)).figures())
                .as("where none could be moved")
                .doesNotContainKeys("movedInterrupts", "leftInterruptionsPerSecond");
    }

    @Test
    void shouldSayThatNoTwoCpusShareACore() {
        assertThat(QuickCommand.costs(NOTHING, Map.of()))
                .contains("No SMT siblings visible; a virtual machine can hide them.");
    }

    /** Where a service is out of its depth at the first rate, and where it is bored by it. */
    @Test
    void shouldTryRatesUntilItHasTheKneeBetweenTwoOfThem() {
        assertThat(tried(30_000)).containsExactly(1_000, 5_000, 25_000, 125_000, 56_000);
        assertThat(tried(300_000)).containsExactly(1_000, 5_000, 25_000, 125_000, 625_000, 280_000);
        assertThat(tried(2_000_000)).containsExactly(1_000, 5_000, 25_000, 125_000, 625_000);
        assertThat(tried(10)).containsExactly(1_000, 200, 40, 8, 18);
        assertThat(tried(1)).containsExactly(1_000, 200, 40, 8);
    }

    private static List<Integer> tried(final int kneePerSecond) {
        final List<TrialResult> rows = new ArrayList<>();
        Optional<String> next = QuickCommand.next(rows);
        while (next.isPresent()) {
            final int rate = Integer.parseInt(next.get().replace("at-", ""));
            rows.add(step(rate, rate > kneePerSecond ? 2L * rate : 0, 40_000, 39_000));
            next = QuickCommand.next(List.copyOf(rows));
        }
        return rows.stream().map(row -> (int) row.offeredRatePerSecond()).toList();
    }

    private static final String PORT_TAKEN = "latency-pub-1: --channel: port 7007 is in use.";

    /** Nothing of it was measured, the rate included. */
    private static TrialResult unmeasured(final int perSecond) {
        return row(
                        "at-" + perSecond,
                        TARGET,
                        1,
                        0,
                        Map.of(),
                        Map.of(Counts.SENT, 0L, Counts.RECEIVED, 0L))
                .voided(PORT_TAKEN, List.of());
    }

    /** The first one ended the search, as if it were the knee. */
    @Test
    void shouldRepeatOnceARateThatCouldNotBeMeasured() {
        final TrialResult held = step(1_000, 0, 40_000, 39_000);
        final TrialResult lost =
                step(5_000, 0, 40_000, 39_000).voided("A role was lost.", List.of());

        assertThat(QuickCommand.next(List.of(unmeasured(1_000)))).contains("at-1000");
        assertThat(QuickCommand.next(List.of(unmeasured(1_000), held))).contains("at-5000");
        assertThat(QuickCommand.next(List.of(held, unmeasured(5_000)))).contains("at-5000");
        assertThat(QuickCommand.next(List.of(held, lost))).contains("at-5000");
        assertThat(QuickCommand.next(List.of(held, lost, step(5_000, 19_000, 40_000, 39_000))))
                .as("it is not held, so the one between is next")
                .contains("at-2200");
    }

    @Test
    void shouldTryNoMoreRatesWhereOneCouldNotBeMeasuredTwice() {
        assertThat(
                        QuickCommand.next(
                                List.of(
                                        step(1_000, 0, 40_000, 39_000),
                                        unmeasured(5_000),
                                        unmeasured(5_000))))
                .isEmpty();
    }

    /** It said that the rate below was the highest that it had tried. */
    @Test
    void shouldSayThatARateCouldNotBeMeasured() {
        final Answer answer =
                answer(step(1_000, 0, 40_000, 39_000), unmeasured(5_000), unmeasured(5_000));

        assertThat(answer.headline())
                .isEqualTo(
                        TARGET
                                + " holds 1,000/s; it is not known whether it holds 5,000/s: it could not be measured"
                                + " (latency-pub-1: --channel: port 7007 is in use).");
        assertThat(answer.figures())
                .containsEntry("heldRatePerSecond", 1_000.0)
                .doesNotContainKey("kneeRatePerSecond");
        assertThat(answer.notes().getFirst().sentences())
                .last()
                .isEqualTo(
                        "5,000/s: it could not be measured (latency-pub-1: --channel: port 7007 is in use).");
        assertThat(answer(unmeasured(1_000), unmeasured(1_000)).headline())
                .startsWith(
                        "It is not known whether " + TARGET + " holds 1,000/s: it could not be");
    }

    /** What was void says as little of the service as what was sent late. */
    @Test
    void shouldLeaveOutTheRepeatThatCouldNotBeMeasured() {
        final Answer answer = answer(unmeasured(1_000), step(1_000, 0, 40_000, 39_000));

        assertThat(answer.headline()).isEqualTo(TARGET + " holds 1,000/s, the highest rate tried.");
        assertThat(answer.notes().getFirst().sentences())
                .singleElement()
                .asString()
                .endsWith(" Left out: 1 repeat, which says nothing of the service.");
    }

    /**
     * Besides, a JVM starts, what settings cost is measured for a second, and a report is written.
     */
    @Test
    void shouldPlanForLessThanAMinute() {
        final RunEstimate all =
                RunEstimate.of(
                        new PlanLibrary(RoleCatalog.load()).find("quick"),
                        Machines.here(Optional.empty()));

        assertThat(Duration.ofNanos(all.durationNs())).isLessThanOrEqualTo(QuickCommand.TIME);
        assertThat(QuickCommand.TIME.plusSeconds(5)).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void shouldHaveTimeForAllRatesOfATarget() {
        final Plan plan = QuickCommand.echoing(TARGET);
        final RunEstimate all = RunEstimate.of(plan, Machines.here(Optional.empty()));

        assertThat(Duration.ofNanos(all.durationNs() * 6 / all.trials()))
                .isLessThan(QuickCommand.TIME);
    }

    /**
     * The bench's own late sender is no knee: it walked down to 8 a second without a second look.
     */
    @Test
    void shouldRepeatOnceARateThatWasSentLate() {
        final TrialResult late = sentLate(step(1_000, 1_000, 900_000_000, 39_000));

        assertThat(QuickCommand.next(List.of(late))).contains("at-1000");
        assertThat(QuickCommand.next(List.of(late, late))).contains("at-200");
        assertThat(QuickCommand.next(List.of(late, step(1_000, 0, 40_000, 39_000))))
                .contains("at-5000");
        assertThat(
                        QuickCommand.next(
                                List.of(
                                        step(5_000, 0, 40_000, 39_000),
                                        late,
                                        step(25_000, 90_000, 40_000, 39_000))))
                .as("a rate below one that is held needs no second look")
                .contains("at-11000");
    }

    private static final String TARGET = "udp://192.0.2.7:7007";

    /** Its sender had no core for a second, and perhaps that was not the test's own doing. */
    private static TrialResult sentLate(final TrialResult row) {
        return with(
                row,
                row.achievedRatePerSecond(),
                3,
                Map.of(Counts.MAX_LAG_NS, 1_030_000_000L),
                Labels.PERHAPS_TAKEN);
    }

    private static TrialResult with(
            final TrialResult row,
            final double achievedPerSecond,
            final long tightSends,
            final Map<String, Long> counts,
            final String... labels) {
        final Map<String, Long> all = new HashMap<>(row.counts());
        all.putAll(counts);
        return new TrialResult(
                row.test(),
                row.workload(),
                row.channel(),
                row.repeat(),
                row.step(),
                row.label(),
                row.payloadBytes(),
                row.subscribers(),
                row.sent(),
                row.expected(),
                row.received(),
                row.lost(),
                row.duplicated(),
                row.reordered(),
                all,
                row.durationNs(),
                row.offeredRatePerSecond(),
                achievedPerSecond,
                tightSends,
                row.hotThreads(),
                row.cores(),
                row.latencies(),
                row.noiseBefore(),
                row.noiseAfter(),
                List.of(labels),
                row.verdict(),
                row.reasons(),
                row.roles(),
                row.tail());
    }

    private static TrialResult on(final String channel, final TrialResult row) {
        return row(
                row.test(),
                channel,
                row.repeat(),
                row.offeredRatePerSecond(),
                row.latencies(),
                row.counts());
    }

    /** A step with an echo service of another make. */
    private static TrialResult step(
            final int perSecond,
            final long notEchoed,
            final long responseNs,
            final long serviceNs) {
        final long sent = 4L * perSecond;
        final Map<String, LatencySummary> latencies =
                notEchoed == sent
                        ? Map.of()
                        : Map.of(
                                Latencies.RESPONSE_NS, latency(sent - notEchoed, responseNs),
                                Latencies.SERVICE_NS, latency(sent - notEchoed, serviceNs));
        return row(
                "at-" + perSecond,
                TARGET,
                1,
                perSecond,
                latencies,
                Map.of(
                        Counts.SENT, sent,
                        Counts.RECEIVED, sent - notEchoed,
                        Counts.TIMED_OUT, notEchoed));
    }

    private static TrialResult floor(final int repeat, final long p50Ns, final long p999Ns) {
        return row(
                "floor",
                "shm:",
                repeat,
                10_000,
                Map.of(Latencies.RESPONSE_NS, latency(15_000, p50Ns, p999Ns)),
                Map.of(Counts.SENT, 15_000L, Counts.RECEIVED, 15_000L));
    }

    private static TrialResult row(
            final String test,
            final String channel,
            final int repeat,
            final double perSecond,
            final Map<String, LatencySummary> latencies,
            final Map<String, Long> counts) {
        return new TrialResult(
                test,
                "latency",
                channel,
                repeat,
                0,
                "",
                64,
                1,
                counts.get(Counts.SENT),
                counts.get(Counts.SENT),
                counts.get(Counts.RECEIVED),
                0,
                0,
                0,
                counts,
                4_000_000_000L,
                perSecond,
                perSecond,
                1,
                2,
                2,
                latencies,
                null,
                null,
                List.of(),
                Verdict.PASS,
                List.of(),
                List.of(),
                null);
    }

    private static LatencySummary latency(final long count, final long p50Ns) {
        return latency(count, p50Ns, 3 * p50Ns);
    }

    private static LatencySummary latency(final long count, final long p50Ns, final long p999Ns) {
        return new LatencySummary(
                count,
                p50Ns / 2,
                p50Ns,
                1,
                OptionalLong.of(p50Ns),
                OptionalLong.of(p50Ns),
                OptionalLong.of(p50Ns),
                OptionalLong.of(2 * p50Ns),
                OptionalLong.of(p999Ns),
                OptionalLong.empty(),
                2 * p999Ns);
    }

    private static RunResult run(final TrialResult... rows) {
        return new RunResult(
                RunResult.SCHEMA,
                "0.1.0",
                "2026-11-20T09:30:00+01:00",
                "quick",
                Verdict.PASS,
                List.of(),
                List.of(rows),
                List.of(),
                List.of(),
                null,
                Map.of(),
                null);
    }

    private static Answer answer(final TrialResult... rows) {
        return QuickCommand.target(run(rows), TARGET).orElseThrow();
    }

    /** A service on UDP sheds load by losing it: at the rate asked for, and without a queue. */
    @Test
    void shouldSeeTheKneeWherePingsHaveNoEcho() {
        final Answer answer =
                answer(
                        step(1_000, 0, 40_000, 39_000),
                        step(5_000, 0, 41_000, 40_000),
                        step(25_000, 89_160, 500_000, 490_000));

        assertThat(answer.headline())
                .isEqualTo(TARGET + " holds 5,000/s, not 25,000/s (10.8 % echoed).");
        assertThat(answer.figures())
                .containsEntry("heldRatePerSecond", 5_000.0)
                .containsEntry("kneeRatePerSecond", 25_000.0)
                .containsEntry("kneeEchoedPart", 0.1084);
        assertThat(answer.notes().getFirst().sentences().getFirst())
                .isEqualTo(
                        "1,000/s: response time 50 % 40.0 us, 99 % 80.0 us, longest 240 us;"
                                + " service time 50 % 39.0 us, 99 % 78.0 us, longest 234 us.");
    }

    /** What a service on TCP does not take, the sender is refused. */
    @Test
    void shouldSeeTheKneeWhereMessagesWait() {
        final TrialResult waiting =
                with(
                        on("tcp://192.0.2.7:7", step(5_000, 0, 90_000, 40_000)),
                        5_000,
                        1,
                        Map.of(Counts.BACK_PRESSURED, 7L));

        assertThat(answer(step(1_000, 0, 40_000, 39_000), waiting).headline())
                .isEqualTo(
                        TARGET
                                + " holds 1,000/s, not 5,000/s (messages wait longer in the queue than they travel).");
    }

    /**
     * Time-outs count from the intended time; on UDP only the sender can keep a message waiting.
     */
    @Test
    void shouldNotBlameAServiceForWhatThisMachineSentLate() {
        final TrialResult late = sentLate(step(8, 3, 900_000_000, 90_000));

        final Answer answer = answer(late, late);
        assertThat(answer.headline())
                .isEqualTo(
                        "It is not known whether "
                                + TARGET
                                + " holds 8.00/s: this machine sent late, by up to 1.03 s.");
        assertThat(answer.figures()).doesNotContainKeys("kneeRatePerSecond", "heldRatePerSecond");
        assertThat(
                        answer(
                                        step(1_000, 0, 40_000, 39_000),
                                        sentLate(step(5_000, 0, 90_000, 40_000)))
                                .headline())
                .isEqualTo(
                        TARGET
                                + " holds 1,000/s; it is not known whether it holds 5,000/s: this machine sent late, by up to"
                                + " 1.03 s.");
        assertThat(answer(late, step(1_000, 0, 40_000, 39_000)).headline())
                .as("it holds more than that")
                .isEqualTo(TARGET + " holds 1,000/s, the highest rate tried.");
    }

    @Test
    void shouldLeaveOutTheRepeatThatWasSentLate() {
        final Answer answer =
                answer(
                        sentLate(step(1_000, 1_000, 900_000_000, 39_000)),
                        step(1_000, 0, 40_000, 39_000));

        assertThat(answer.headline()).isEqualTo(TARGET + " holds 1,000/s, the highest rate tried.");
        assertThat(answer.notes().getFirst().sentences())
                .singleElement()
                .asString()
                .startsWith("1,000/s: response time 50 % 40.0 us,")
                .endsWith(" Left out: 1 repeat, which says nothing of the service.");
    }

    /** Of 24 messages the last came 30 ms late. */
    @Test
    void shouldNotTakeOneLateMessageForARate() {
        assertThat(answer(with(step(8, 0, 190_000, 90_000), 7.89, 1, Map.of())).headline())
                .isEqualTo(TARGET + " holds 8.00/s, the highest rate tried.");
    }

    @Test
    void shouldSayThatTheMachineSendsNoMore() {
        final Answer answer =
                answer(
                        step(125_000, 0, 40_000, 39_000),
                        with(
                                step(625_000, 900_000, 700_000_000, 40_000),
                                400_000,
                                2_000_000,
                                Map.of(Counts.MAX_LAG_NS, 1_030_000_000L)));

        assertThat(answer.headline())
                .isEqualTo(
                        TARGET
                                + " holds 125 k/s; this machine cannot send any faster (at 625 k/s, only 400 k/s sent).");
        assertThat(answer.figures())
                .containsEntry("heldRatePerSecond", 125_000.0)
                .doesNotContainKey("kneeRatePerSecond");
    }

    /** The longest are those that did not come back: of the others it said 'good to 1.00 ms'. */
    @Test
    void shouldTakeNoTailFromAChannelWhoseEchoesAreMissing() {
        final Answer answer =
                QuickCommand.machine(
                        run(
                                floor(1, 900, 34_400_000),
                                floor(2, 900, 34_400_000),
                                lossy(1, 750, 900, 1_000_000),
                                lossy(2, 750, 901, 1_000_000)),
                        NOTHING,
                        Map.of(),
                        List.of(),
                        0);

        assertThat(answer.headline()).startsWith("This machine: good to 34.4 ms at 99.9 %;");
        assertThat(answer.figures())
                .containsEntry("goodToOn", "shm:")
                .containsEntry("p99ChangeSeenOn", "shm:");
        assertThat(answer.notes().getFirst().sentences().getFirst())
                .isEqualTo("Too few echoes for the 99.9th percentile: udp://127.0.0.1:0 5.00 %.");
    }

    /** It stated a median's resolution where more than half of the messages had no echo. */
    @Test
    void shouldTakeNoMedianFromAChannelWhereMostEchoesAreMissing() {
        final Answer answer =
                answerOf(lossy(1, 9_000, 900, 1_000_000), lossy(2, 9_000, 901, 1_000_000));

        assertThat(answer.headline()).endsWith("; detectable changes unknown (too few echoes).");
        assertThat(answer.figures())
                .doesNotContainKeys("medianChangeSeenPart", "p99ChangeSeenPart");
        assertThat(
                        answerOf(lossy(1, 7_500, 900, 1_000_000), lossy(2, 7_500, 901, 1_000_000))
                                .figures())
                .as("half of them are not more than half")
                .containsKey("medianChangeSeenPart");
    }

    private static Answer answerOf(final TrialResult... rows) {
        return QuickCommand.machine(run(rows), NOTHING, Map.of(), List.of(), 0);
    }

    private static TrialResult lossy(
            final int repeat, final long notEchoed, final long p50Ns, final long p999Ns) {
        final long echoed = 15_000 - notEchoed;
        return row(
                "floor",
                "udp://127.0.0.1:0",
                repeat,
                10_000,
                Map.of(Latencies.RESPONSE_NS, latency(echoed, p50Ns, p999Ns)),
                Map.of(
                        Counts.SENT, 15_000L,
                        Counts.RECEIVED, echoed,
                        Counts.TIMED_OUT, notEchoed));
    }

    /** At 40 a second a sender that is woken 100 us late has no queue behind it. */
    @Test
    void shouldTakeNoLateSenderForAQueue() {
        assertThat(answer(step(40, 0, 190_000, 90_000)).headline())
                .isEqualTo(TARGET + " holds 40.0/s, the highest rate tried.");
    }

    @Test
    void shouldSayThatNoKneeWasSeen() {
        assertThat(answer(step(25_000, 0, 40_000, 39_000)).headline())
                .isEqualTo(TARGET + " holds 25,000/s, the highest rate tried.");
    }

    @Test
    void shouldSayThatNothingCameBack() {
        final Answer answer = answer(step(1_000, 4_000, 0, 0));

        assertThat(answer.headline()).isEqualTo(TARGET + " does not hold 1,000/s (0 % echoed).");
        assertThat(answer.notes().getFirst().sentences())
                .containsExactly("1,000/s: nothing came back.");
        assertThat(QuickCommand.target(run(), TARGET)).isEmpty();
    }

    /** It said nothing about it. */
    @Test
    void shouldSayThatAMachineIsTooBusyForATail() {
        final TrialResult few =
                row(
                        "floor",
                        "shm:",
                        1,
                        10_000,
                        Map.of(
                                Latencies.RESPONSE_NS,
                                new LatencySummary(
                                        100,
                                        1_000,
                                        1_000,
                                        1,
                                        OptionalLong.of(1_000),
                                        OptionalLong.empty(),
                                        OptionalLong.empty(),
                                        OptionalLong.empty(),
                                        OptionalLong.empty(),
                                        OptionalLong.empty(),
                                        9_000)),
                        Map.of(Counts.SENT, 15_000L, Counts.RECEIVED, 100L));
        final Answer answer = QuickCommand.machine(run(few), NOTHING, Map.of(), List.of(), 1);

        assertThat(answer.headline())
                .isEqualTo(
                        "This machine: too busy for a 99.9th percentile; detectable changes unknown (one repeat).");
        assertThat(answer.notes().getFirst().sentences().getFirst())
                .startsWith("No channel answered often enough for a 99.9th percentile: stop what");
        assertThat(answer.notes().getFirst().sentences())
                .contains(
                        "One repeat was left out to end within a minute: this machine is slow, or busy.");
        assertThat(answer.figures()).doesNotContainKey("goodToNs");
    }

    @Test
    void shouldSayWhatTheMachineResolvesBeforeAllElse() {
        final Answer answer =
                QuickCommand.machine(
                        run(floor(1, 900, 34_400_000), floor(2, 900, 34_400_000)),
                        NOTHING,
                        Map.of(),
                        List.of(),
                        0);

        assertThat(answer.headline())
                .startsWith("This machine: good to 34.4 ms at 99.9 %; changes of the median below ")
                .endsWith(" % cannot be seen.");
        assertThat(answer.figures())
                .containsEntry("goodToNs", 34_400_000L)
                .containsEntry("goodToOn", "shm:")
                .containsKeys("medianChangeSeenPart", "p99ChangeSeenPart", "clockReadNs");
        assertThat(answer.notes().getFirst().sentences())
                .last()
                .asString()
                .contains("./tickmark doctor --all");
    }

    /** The answer ended there, as if nobody had asked. */
    @Test
    void shouldSayWhyItIsNotKnownWhichChangesCanBeSeen() {
        final Answer one =
                QuickCommand.machine(
                        run(floor(1, 900, 34_400_000)), NOTHING, Map.of(), List.of(), 2);

        assertThat(one.headline())
                .isEqualTo(
                        "This machine: good to 34.4 ms at 99.9 %; detectable changes unknown (one repeat).");
        assertThat(one.notes().getFirst().sentences())
                .contains(
                        "One repeat cannot show which changes are detectable: it takes two repeats with figures on one"
                                + " channel ('--repeats 3' runs long enough).");
        assertThat(one.figures()).doesNotContainKey("medianChangeSeenPart");
        final Map<String, Long> counts = Map.of(Counts.SENT, 15_000L, Counts.RECEIVED, 0L);
        assertThat(
                        QuickCommand.machine(
                                        run(
                                                row("floor", "shm:", 1, 10_000, Map.of(), counts),
                                                row("floor", "shm:", 2, 10_000, Map.of(), counts)),
                                        NOTHING,
                                        Map.of(),
                                        List.of(),
                                        0)
                                .headline())
                .endsWith("; detectable changes unknown (too few echoes).");
    }

    @Test
    void shouldSayLargeChangesAsFactors() {
        assertThat(QuickCommand.change(0.083)).isEqualTo("8.30 %");
        assertThat(QuickCommand.change(1)).isEqualTo("a factor of 2.00");
        assertThat(QuickCommand.change(2_488)).isEqualTo("a factor of more than 10");
    }
}
