package io.tickmark.lab.control;

import static io.tickmark.lab.control.KnownCapacity.CAPACITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.Outcome;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches over trials that are made up: an engine whose capacity is known. */
class SearchRunTest {
    /** For rounding. */
    private static final double HAIR = 1 + 1e-9;

    private final KnownCapacity engine = new KnownCapacity();
    private Criteria criteria = Criteria.DEFAULT;

    private static SearchGoal goal(final Map<String, Object> changes) {
        final Map<String, Object> settings = new HashMap<>(changes);
        settings.putIfAbsent("width", 0.01);
        return Settings.read(SearchGoal.class, settings, key -> key);
    }

    private SearchRun.End search(final Map<String, Object> goal) {
        final TestPlan test =
                TestPlan.builder("t", "stream")
                        .role(RolePlan.of("stream-pub", Map.of("rate", 5, "duration", "1s")))
                        .criteria(criteria)
                        .build();
        return new SearchRun(test, "shm:", goal(goal), engine, new VirtualClock(0)).run();
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
        assertThat(
                        engine.inNewProcesses.subList(
                                engine.inNewProcesses.size() - 3, engine.inNewProcesses.size()))
                .containsOnly(true);
        assertThat(engine.inNewProcesses.subList(0, engine.inNewProcesses.size() - 3))
                .containsOnly(false);
        assertThat(end.rows()).hasSize(3).allMatch(row -> row.verdict() == Verdict.PASS);
    }

    @ParameterizedTest
    @ValueSource(doubles = {50, 50.4, 0.2, 0.97})
    void shouldTellMessagesOfTheWholeTestWhateverTheSettingMeans(final double messages) {
        engine.perSetting = messages;

        final SearchRun.End end = search(Map.of());

        final SearchSummary summary = end.summary();
        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.lowerBoundPerSecond()).isBetween(CAPACITY * 0.98, CAPACITY * 1.001);
        assertThat(summary.upperBoundPerSecond()).isBetween(CAPACITY, CAPACITY * 1.02);
        assertThat(summary.strictRatePerSecond()).isEqualTo(summary.lowerBoundPerSecond());
        assertThat(summary.lowPerSecond()).isBetween(CAPACITY * 0.9, CAPACITY * 1.01);
        assertThat(end.rows())
                .allSatisfy(row ->
                        assertThat(row.offeredRatePerSecond())
                                .isCloseTo(summary.lowerBoundPerSecond(), withinPercentage(0.1)));
        assertThat(of(summary, Purpose.SEARCH).getFirst().ratePerSecond())
                .as("begins where the burst was")
                .isCloseTo(CAPACITY, withinPercentage(1));
    }

    @Test
    void shouldJudgeTheRateAlsoWhereThePlanDoesNot() {
        criteria = Criteria.DEFAULT.withMinRateHeldPart(0);
        engine.sendsWhatItCan = true;

        assertThat(search(Map.of()).summary().lowerBoundPerSecond())
                .isBetween(CAPACITY * 0.99, CAPACITY * 1.011);
    }

    @Test
    void shouldEndWhereTheTestKeepsToNoRate() {
        engine.isAsleep = true;

        final SearchRun.End end = search(Map.of());

        assertThat(end.summary().verdict()).isEqualTo(Verdict.VOID);
        assertThat(end.summary().lowerBoundPerSecond()).isZero();
        assertThat(end.summary().reasons())
                .singleElement()
                .asString()
                .contains("with 'rate' at", "kept to no rate", "--max-rate");
        assertThat(end.userError()).contains(UserError.Kind.USAGE);
        assertThat(engine.inNewProcesses).as("the burst, and one at a rate").hasSize(2);
    }

    @Test
    void shouldNotTakeARateForHeldAtWhichAStoreFallsBehind() {
        engine.isThroughAStore = true;

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
        engine.isThroughAStore = true;
        engine.mostInFlight = 100;

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
        engine.capacityOfNewProcesses = CAPACITY * 0.97;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.lowerBoundPerSecond())
                .isBetween(engine.capacityOfNewProcesses * 0.98, engine.capacityOfNewProcesses);
        assertThat(summary.upperBoundPerSecond())
                .as("the lowest rate that new processes refused")
                .isGreaterThan(summary.lowerBoundPerSecond())
                .isLessThanOrEqualTo(summary.lowerBoundPerSecond() * 1.01 * HAIR)
                .isEqualTo(
                        of(summary, Purpose.CONFIRMATION).stream()
                                .filter(trial -> trial.outcome() == Outcome.BAD)
                                .mapToDouble(SearchTrial::ratePerSecond)
                                .min()
                                .orElseThrow());
        assertThat(summary.lowPerSecond())
                .as("new processes count for the interval too")
                .isLessThanOrEqualTo(summary.lowerBoundPerSecond());
    }

    @Test
    void shouldFailWhereNewProcessesNeverHoldIt() {
        engine.capacityOfNewProcesses = CAPACITY / 2;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.lowerBoundPerSecond()).isZero();
        final double lowest = of(summary, Purpose.CONFIRMATION).getLast().ratePerSecond();
        assertThat(summary.upperBoundPerSecond()).isEqualTo(lowest);
        assertThat(summary.reasons())
                .singleElement()
                .asString()
                .contains(
                        "in warm processes, but nothing down to %.0f did in new".formatted(lowest));
    }

    @Test
    void shouldNotLowerTheAnswerBelowTheRangeOfTheSearch() {
        engine.capacityOfNewProcesses = CAPACITY / 2;

        final SearchSummary unconfirmed =
                search(Map.of("minRate", CAPACITY * 0.97, "seedRate", CAPACITY)).summary();

        assertThat(of(unconfirmed, Purpose.CONFIRMATION))
                .allMatch(trial -> trial.ratePerSecond() >= CAPACITY * 0.97);
        assertThat(unconfirmed.upperBoundPerSecond()).isEqualTo(CAPACITY * 0.97);
        assertThat(unconfirmed.reasons())
                .singleElement()
                .asString()
                .contains("nothing down to %.0f did".formatted(CAPACITY * 0.97));
    }

    /** One good confirmation of two is too few here, and is no row of a rate that was refused. */
    @Test
    void shouldHaveRowsAtTheAnswerAlone() {
        engine.newProcessesHoldEverySecondTimeFrom = CAPACITY * 0.97;
        engine.capacityOfSoaks = CAPACITY * 0.95;

        final SearchRun.End end = search(Map.of("exceedRatio", 0));

        final SearchSummary summary = end.summary();
        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(of(summary, Purpose.CONFIRMATION))
                .filteredOn(trial -> trial.outcome() == Outcome.GOOD)
                .as("good ones at rates that were refused")
                .hasSizeGreaterThan(2);
        assertThat(end.rows())
                .hasSize(2)
                .allMatch(row -> row.offeredRatePerSecond() == summary.lowerBoundPerSecond());
    }

    /** A thousand sessions know rates of a thousand, two thousand and so on, and none between. */
    @Test
    void shouldTellBoundsThatWereOffered() {
        engine.perSetting = 1_000;
        engine.capacityOfSoaks = CAPACITY * 0.95;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.lowerBoundPerSecond()).isEqualTo(CAPACITY);
        assertThat(summary.upperBoundPerSecond()).isEqualTo(CAPACITY + 1_000);
        assertThat(summary.strictRatePerSecond()).isEqualTo(CAPACITY * 0.95);
        assertThat(of(summary, Purpose.SOAK))
                .extracting(SearchTrial::ratePerSecond)
                .as("each setting once")
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldPassAtALowerRateThatHeldTheSoak() {
        engine.capacityOfSoaks = CAPACITY * 0.95;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.strictRatePerSecond())
                .isBetween(engine.capacityOfSoaks * 0.98, engine.capacityOfSoaks)
                .isLessThan(summary.lowerBoundPerSecond());
    }

    @Test
    void shouldFailWhereNoSoakHeldAndSayWhatWas() {
        engine.capacityOfSoaks = CAPACITY / 2;

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

    /**
     * The trials of the search know no noise floor; were it an excuse, the best of three counted.
     */
    @Test
    void shouldTakeARateThatIsTooSlowForBadWhateverTheNoise() {
        criteria = Settings.read(Criteria.class, Map.of("maxP99", "1ms"), key -> key);
        engine.isLate = true;
        engine.isMachineNoisy = true;
        engine.capacityOfNewProcesses = CAPACITY * 0.97;
        engine.capacityOfSoaks = CAPACITY * 0.95;

        final SearchRun.End end = search(Map.of());

        final SearchSummary summary = end.summary();
        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.trials()).noneMatch(trial -> trial.outcome() == Outcome.VOID);
        assertThat(summary.lowerBoundPerSecond())
                .isBetween(engine.capacityOfNewProcesses * 0.98, engine.capacityOfNewProcesses);
        assertThat(summary.strictRatePerSecond())
                .isBetween(engine.capacityOfSoaks * 0.98, engine.capacityOfSoaks);
        assertThat(of(summary, Purpose.CONFIRMATION))
                .filteredOn(trial -> trial.outcome() == Outcome.BAD)
                .isNotEmpty()
                .allSatisfy(trial ->
                        assertThat(trial.reason())
                                .startsWith("The 99th percentile of the latency"));
    }

    @Test
    void shouldPassWithoutASoakWhereNoneIsAskedFor() {
        engine.capacityOfSoaks = 1;

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
        engine.voidUntil = 2;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.trials().subList(0, 2))
                .allMatch(trial -> trial.outcome() == Outcome.VOID)
                .allMatch(trial -> trial.reason().equals("A role was lost."));
    }

    @Test
    void shouldBeVoidWhereTrialsAreNoMeasurementsAgainAndAgain() {
        engine.voidUntil = 100;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.VOID);
        assertThat(summary.reasons()).hasSize(1).first().asString().contains("A role was lost.");
        assertThat(summary.trials()).hasSize(3);
    }

    @Test
    void shouldKeepWhatWasTriedWhenItIsInterrupted() {
        engine.interruptAfter = 5;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.VOID);
        assertThat(summary.trials()).hasSize(5);
    }

    @Test
    void shouldEndAsAFailureWhereAnAcknowledgedMessageIsLost() {
        engine.acknowledgedLostIn = 3;

        final SearchRun.End end = search(Map.of());

        assertThat(end.summary().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(end.summary().reasons())
                .singleElement()
                .asString()
                .startsWith("Ended: acknowledged messages were lost at ")
                .contains("3 acknowledged messages were not found: 17 to 19.");
        assertThat(engine.inNewProcesses).as("nothing is tried after it").hasSize(3);
        assertThat(end.rows()).hasSize(1);
    }

    @Test
    void shouldHaveNoRateThatHoldsWhereTheConfirmationLosesAnAcknowledgedMessage() {
        engine.newProcessesLose = true;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.lowerBoundPerSecond()).isZero();
        assertThat(summary.strictRatePerSecond()).isZero();
        assertThat(of(summary, Purpose.CONFIRMATION)).hasSize(1);
    }
}
