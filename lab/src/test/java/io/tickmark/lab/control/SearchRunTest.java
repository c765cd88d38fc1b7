package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.Outcome;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Searches over trials that are made up: an engine whose capacity is known. */
class SearchRunTest {
    private static final double CAPACITY = 80_000;
    private static final String SOAK = Durations.format(Duration.ofSeconds(60));

    private final List<Boolean> inNewProcesses = new ArrayList<>();
    private double capacityOfNewProcesses = CAPACITY;
    private int voidUntil;
    private int interruptAfter = Integer.MAX_VALUE;
    private int acknowledgedLostIn = -1;

    /** What is held for longer than the trials of the search are; the same for all by default. */
    private double capacityOfSoaks = Double.MAX_VALUE;

    private boolean newProcessesLose;

    /** All arrives in the end, and what is above the capacity waits. */
    private boolean isThroughAStore;

    private long mostInFlight = Long.MAX_VALUE;

    private static SearchGoal goal(final Map<String, Object> changes) {
        final Map<String, Object> settings = new HashMap<>(changes);
        settings.putIfAbsent("width", 0.01);
        return Settings.read(SearchGoal.class, settings, key -> key);
    }

    private SearchRun.End search(final Map<String, Object> goal) {
        final TestPlan test =
                TestPlan.builder("t", "stream")
                        .role(RolePlan.of("stream-pub", Map.of("rate", 5, "duration", "1s")))
                        .build();
        return new SearchRun(test, "shm:", goal(goal), this::serve, new VirtualClock(0)).run();
    }

    private Optional<TrialEnd> serve(final TestPlan changed, final boolean isInNew) {
        inNewProcesses.add(isInNew);
        if (inNewProcesses.size() > interruptAfter) {
            return Optional.empty();
        }
        final double rate =
                Double.parseDouble(changed.roles().getFirst().settings().get("rate").toString());
        final boolean isSoak =
                changed.roles().getFirst().settings().get("duration").toString().equals(SOAK);
        final double capacity =
                Math.min(
                        isSoak ? capacityOfSoaks : Double.MAX_VALUE,
                        isInNew ? capacityOfNewProcesses : CAPACITY);
        final double offered = rate == 0 ? CAPACITY * 2 : rate;
        final long waiting = (long) Math.max(0, offered - capacity);
        final long received = (long) offered - (isThroughAStore ? 0 : waiting);
        final TrialMerge merge = new TrialMerge();
        merge.add(
                "stream-pub-1",
                step(
                        Map.of(
                                Counts.SENT,
                                (long) offered,
                                Counts.WOULD_BLOCK,
                                Math.max(0, waiting - mostInFlight)),
                        rate,
                        offered));
        merge.add("stream-sub-1", step(Map.of(Counts.RECEIVED, received), 0, 0));
        if (inNewProcesses.size() == acknowledgedLostIn || isInNew && newProcessesLose) {
            merge.add(
                    "store-1",
                    new StepResult(
                            0,
                            "",
                            64,
                            Map.of(Counts.NOT_FOUND, 3L),
                            1_000_000_000,
                            0,
                            0,
                            Map.of(),
                            List.of("3 acknowledged messages were not found: 17 to 19.")));
        }
        return Optional.of(
                new TrialEnd(
                        merge.rows(facts(changed, (long) (waiting * 1e9 / capacity))),
                        Optional.empty(),
                        true,
                        Optional.empty()));
    }

    private TrialFacts facts(final TestPlan changed, final long fellBehindNs) {
        return new TrialFacts(
                "t",
                "stream",
                "shm:",
                1,
                1,
                2,
                null,
                null,
                changed.criteria(),
                inNewProcesses.size() <= voidUntil ? List.of("A role was lost.") : List.of(),
                List.of(),
                List.of(
                        new RoleSummary(
                                "stream-sub", 1, Map.of("fellBehindNs", fellBehindNs), List.of())));
    }

    private static StepResult step(
            final Map<String, Long> counts, final double offered, final double achieved) {
        return new StepResult(
                0, "", 64, counts, 1_000_000_000, offered, achieved, Map.of(), List.of());
    }

    private static List<SearchTrial> of(final SearchSummary summary, final Purpose purpose) {
        return summary.trials().stream().filter(trial -> trial.purpose() == purpose).toList();
    }

    @Test
    void shouldBeginAtWhatArrivesOfABurstAndEndWithConfirmationAndSoak() {
        final SearchRun.End end = search(Map.of());

        final SearchSummary summary = end.summary();
        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.seedPerSecond()).isEqualTo(CAPACITY);
        assertThat(summary.lowerBoundPerSecond()).isBetween(CAPACITY * 0.99, CAPACITY);
        assertThat(summary.upperBoundPerSecond()).isGreaterThan(CAPACITY);
        assertThat(summary.strictRatePerSecond()).isEqualTo(summary.lowerBoundPerSecond());
        assertThat(of(summary, Purpose.CONFIRMATION)).hasSize(2);
        assertThat(of(summary, Purpose.SOAK)).hasSize(1);
        assertThat(inNewProcesses.subList(inNewProcesses.size() - 3, inNewProcesses.size()))
                .containsOnly(true);
        assertThat(inNewProcesses.subList(0, inNewProcesses.size() - 3)).containsOnly(false);
        assertThat(end.rows()).hasSize(3).allMatch(row -> row.verdict() == Verdict.PASS);
    }

    @Test
    void shouldNotTakeARateForHeldAtWhichAStoreFallsBehind() {
        isThroughAStore = true;

        final SearchRun.End end = search(Map.of());

        // 1 % of the rate may be missing, and here it is put off.
        assertThat(end.summary().lowerBoundPerSecond())
                .isBetween(CAPACITY * 0.99, CAPACITY * 1.011);
        assertThat(end.summary().trials())
                .filteredOn(trial -> trial.outcome() == Outcome.BAD)
                .isNotEmpty()
                .allSatisfy(trial ->
                        assertThat(trial.reason())
                                .startsWith("The backlog grew: ")
                                .contains("(stream-sub)"));
    }

    @Test
    void shouldNotTakeARateForHeldAtWhichMessagesWaitForRoomInFlight() {
        isThroughAStore = true;
        mostInFlight = 100;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.lowerBoundPerSecond()).isLessThanOrEqualTo(CAPACITY + 101);
        assertThat(summary.trials())
                .extracting(SearchTrial::reason)
                .anyMatch(reason -> reason.contains("had to wait for room in flight"));
    }

    @Test
    void shouldKeepTheTrialOfTheSearchAtTheAnswerWhereNothingConfirmsIt() {
        final SearchRun.End end = search(Map.of("confirmations", 0, "soak", "0s"));

        assertThat(of(end.summary(), Purpose.CONFIRMATION)).isEmpty();
        assertThat(end.rows()).hasSize(1);
        assertThat(end.rows().getFirst().offeredRatePerSecond())
                .isCloseTo(end.summary().lowerBoundPerSecond(), within(1.0));
    }

    @Test
    void shouldLowerTheAnswerUntilNewProcessesHoldIt() {
        capacityOfNewProcesses = CAPACITY * 0.97;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.lowerBoundPerSecond())
                .isBetween(capacityOfNewProcesses * 0.98, capacityOfNewProcesses);
        assertThat(summary.lowPerSecond())
                .as("new processes count for the interval too")
                .isLessThanOrEqualTo(summary.lowerBoundPerSecond());
    }

    @Test
    void shouldFailWhereNewProcessesNeverHoldIt() {
        capacityOfNewProcesses = CAPACITY / 2;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.lowerBoundPerSecond()).isZero();
        assertThat(summary.reasons()).hasSize(1).first().asString().contains("in warm processes");
    }

    @Test
    void shouldPassAtALowerRateThatHeldTheSoak() {
        capacityOfSoaks = CAPACITY * 0.95;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.strictRatePerSecond())
                .isBetween(capacityOfSoaks * 0.98, capacityOfSoaks)
                .isLessThan(summary.lowerBoundPerSecond());
    }

    @Test
    void shouldFailWhereNoSoakHeldAndSayWhatWas() {
        capacityOfSoaks = CAPACITY / 2;

        final SearchRun.End end = search(Map.of());

        final SearchSummary summary = end.summary();
        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.lowerBoundPerSecond()).isBetween(CAPACITY * 0.99, CAPACITY);
        assertThat(summary.strictRatePerSecond()).isZero();
        assertThat(of(summary, Purpose.SOAK)).hasSize(9);
        assertThat(summary.reasons())
                .singleElement()
                .asString()
                .contains(
                        "held in trials of 10s, but no soak of 1m held, down to ",
                        "the answer is not confirmed",
                        "The last soak: ")
                .contains("lost");
    }

    @Test
    void shouldPassWithoutASoakWhereNoneIsAskedFor() {
        capacityOfSoaks = 1;

        assertThat(search(Map.of("soak", "0s")).summary().verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldFailWhereNoRateHolds() {
        final SearchSummary summary = search(Map.of("minRate", "1M")).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.reasons())
                .containsExactly("No rate held: even 1000000 per second was too much.");
    }

    @Test
    void shouldRepeatWhatWasNoMeasurement() {
        voidUntil = 2;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.trials().subList(0, 2))
                .allMatch(trial -> trial.outcome() == Outcome.VOID)
                .allMatch(trial -> trial.reason().equals("A role was lost."));
    }

    @Test
    void shouldBeVoidWhereTrialsAreNoMeasurementsAgainAndAgain() {
        voidUntil = 100;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.VOID);
        assertThat(summary.reasons()).hasSize(1).first().asString().contains("A role was lost.");
        assertThat(summary.trials()).hasSize(3);
    }

    @Test
    void shouldKeepWhatWasTriedWhenItIsInterrupted() {
        interruptAfter = 5;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.VOID);
        assertThat(summary.trials()).hasSize(5);
    }

    @Test
    void shouldEndAsAFailureWhereAnAcknowledgedMessageIsLost() {
        acknowledgedLostIn = 3;

        final SearchRun.End end = search(Map.of());

        assertThat(end.summary().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(end.summary().reasons())
                .singleElement()
                .asString()
                .startsWith("Ended: acknowledged messages were lost at ")
                .contains("3 acknowledged messages were not found: 17 to 19.");
        assertThat(inNewProcesses).as("nothing is tried after it").hasSize(3);
        assertThat(end.rows()).hasSize(1);
    }

    @Test
    void shouldHaveNoRateThatHoldsWhereTheConfirmationLosesAnAcknowledgedMessage() {
        newProcessesLose = true;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.lowerBoundPerSecond()).isZero();
        assertThat(summary.strictRatePerSecond()).isZero();
        assertThat(of(summary, Purpose.CONFIRMATION)).hasSize(1);
    }
}
