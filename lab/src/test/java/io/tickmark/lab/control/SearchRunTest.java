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
import io.tickmark.lab.plan.Criteria;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches over simulated trials of an engine with known capacity. */
class SearchRunTest extends SearchTesting {
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
    void shouldReportMessagesOfTheWholeTestWhateverTheSettingMeans(final double messages) {
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
                .contains("with 'rate' at", "did not keep to a rate", "--max-rate");
        assertThat(end.userError()).contains(UserError.Kind.USAGE);
        assertThat(engine.inNewProcesses).as("the burst, and one at a rate").hasSize(2);
    }

    /** Every rate would be good under a limit of what is never measured. */
    @Test
    void shouldEndWhereNoLatencyIsMeasuredByWhichItsLimitCouldBeJudged() {
        criteria = Settings.read(Criteria.class, Map.of("maxP99", "1ms"), key -> key);
        engine.isUntimed = true;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.VOID);
        assertThat(summary.lowerBoundPerSecond()).isZero();
        assertThat(summary.reasons())
                .singleElement()
                .asString()
                .startsWith("Aborted: ")
                .endsWith("No latency was measured by which maxP99 could be judged.");
    }

    @Test
    void shouldNotTakeARateForHeldAtWhichAStoreFallsBehind() {
        engine.isThroughAStore = true;

        final SearchRun.End end = search(Map.of());

        // 1 % of the rate may be missing, and here it is deferred.
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
    void shouldFailWhereNoRateHolds() {
        final SearchSummary summary = search(Map.of("minRate", "1M")).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.reasons())
                .containsExactly("No rate held: even 1000000 per second was too much.");
    }

    /** It judges by the figures as measured, and only notes what the machine did. */
    @Test
    void shouldNoteWhichTrialsTheMachineDisturbed() {
        final double undisturbed = search(Map.of()).summary().lowerBoundPerSecond();
        engine.inNewProcesses.clear();
        engine.isDisturbed = true;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.lowerBoundPerSecond()).isEqualTo(undisturbed);
        assertThat(summary.trials())
                .filteredOn(SearchTrial::disturbed)
                .isNotEmpty()
                .allMatch(trial -> trial.outcome() == Outcome.BAD);
        assertThat(summary.refuting())
                .isNotEmpty()
                .allMatch(SearchTrial::disturbed)
                .allMatch(trial -> trial.ratePerSecond() <= summary.upperBoundPerSecond() + 1);
    }

    /** Most of the time between two trials would go into it. */
    @Test
    void shouldLookIntoWhatDelayedTheMessagesOfTheTrialsThatDecideAlone() {
        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.refuting()).isNotEmpty().noneMatch(SearchTrial::notExamined);
        final List<SearchTrial> passedOver =
                summary.trials().stream().filter(SearchTrial::notExamined).toList();
        assertThat(passedOver)
                .extracting(SearchTrial::purpose)
                .contains(Purpose.SEED, Purpose.SEARCH)
                .doesNotContain(Purpose.CONFIRMATION, Purpose.SOAK);
        assertThat(passedOver)
                .extracting(SearchTrial::ratePerSecond)
                .as("neither bound")
                .noneMatch(rate -> Math.abs(rate - summary.lowerBoundPerSecond()) < 1)
                .noneMatch(rate -> Math.abs(rate - summary.upperBoundPerSecond()) < 1);
        assertThat(engine.examinedRows)
                .as("each of the others once")
                .isEqualTo(summary.trials().size() - passedOver.size());
    }

    /** Whoever ends it waits for its end; and it must not be taken for undisturbed. */
    @Test
    void shouldSayThatNobodyLookedIntoTheTrialsOfASearchThatWasEnded() {
        engine.isDisturbed = true;
        engine.interruptAfter = 6;

        assertThat(search(Map.of()).summary().trials())
                .hasSize(6)
                .allMatch(SearchTrial::notExamined)
                .noneMatch(SearchTrial::disturbed);
    }

    /** Its rows are those of the result. */
    @Test
    void shouldLookIntoATrialThatEndsTheSearch() {
        engine.acknowledgedLostIn = 3;

        assertThat(search(Map.of()).summary().trials().getLast().notExamined()).isFalse();
    }

    /** One that does not hold again was not refuted by what was left out. */
    @Test
    void shouldRepeatOnceARefusalThatMayBeTheMachines() {
        final SearchSummary untouched = search(Map.of()).summary();
        engine.inNewProcesses.clear();
        engine.isPerhapsTaken = true;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.lowerBoundPerSecond()).isEqualTo(untouched.lowerBoundPerSecond());
        assertThat(summary.refuting())
                .hasSameSizeAs(untouched.refuting())
                .isNotEmpty()
                .allMatch(SearchTrial::perhapsTaken);
        final List<SearchTrial> taken =
                summary.trials().stream()
                        .filter(trial -> trial.purpose() != Purpose.SEED)
                        .filter(SearchTrial::perhapsTaken)
                        .toList();
        assertThat(taken)
                .extracting(SearchTrial::outcome)
                .as("each of them once more, and no more")
                .isEqualTo(
                        IntStream.range(0, taken.size())
                                .mapToObj(i -> i % 2 == 0 ? Outcome.VOID : Outcome.BAD)
                                .toList());
        assertThat(engine.inNewProcesses)
                .as("the others repeat in the processes that are warm")
                .isEqualTo(
                        summary.trials().stream()
                                .map(trial ->
                                        trial.purpose() == Purpose.CONFIRMATION
                                                || trial.purpose() == Purpose.SOAK)
                                .toList());
    }

    @Test
    void shouldLeaveOutARefusalThatIsNotRepeated() {
        engine.takenIn = 2;

        final List<SearchTrial> trials = search(Map.of()).summary().trials();

        assertThat(trials.get(1).outcome()).isEqualTo(Outcome.VOID);
        assertThat(trials.get(1).perhapsTaken()).isTrue();
        assertThat(trials.get(1).reason()).as("why it did not hold").isNotEmpty();
        assertThat(trials.get(2).outcome()).isEqualTo(Outcome.GOOD);
        assertThat(trials.get(2).ratePerSecond()).isEqualTo(trials.get(1).ratePerSecond());
        assertThat(trials).filteredOn(SearchTrial::perhapsTaken).hasSize(1);
    }

    /** It takes none of the tries that a void one has. */
    @Test
    void shouldNotBeVoidBecauseOneWasLeftOutAndTwoWereVoid() {
        engine.takenIn = 2;
        engine.voidIn = Set.of(3, 4);

        assertThat(search(Map.of()).summary().verdict()).isEqualTo(Verdict.PASS);
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

    /** Wherever it is ended: among short trials, long ones, or those that confirm the answer. */
    @Test
    void shouldReportTheBestBoundsSoFarWhenItIsInterrupted() {
        final List<SearchTrial> whole = search(Map.of()).summary().trials();
        double width = Double.MAX_VALUE;
        for (int after = 4; after < whole.size(); after++) {
            engine.inNewProcesses.clear();
            engine.interruptAfter = after;

            final SearchSummary summary = search(Map.of()).summary();

            assertThat(summary.verdict()).isEqualTo(Verdict.VOID);
            assertThat(summary.boundsAreUnconfirmed()).as("after %d trials", after).isTrue();
            assertThat(summary.lowerBoundPerSecond()).isLessThanOrEqualTo(CAPACITY);
            assertThat(summary.upperBoundPerSecond()).isGreaterThan(CAPACITY);
            assertThat(summary.reasons())
                    .singleElement()
                    .asString()
                    .startsWith("Unconfirmed, because the search was ended: so far,");
            final double now = summary.upperBoundPerSecond() - summary.lowerBoundPerSecond();
            assertThat(now).as("what is found is not lost again").isLessThanOrEqualTo(width);
            width = now;
        }
        assertThat(width).isLessThanOrEqualTo(CAPACITY * 0.0101);
    }

    /** A kill of the controller loses only the running trial. */
    @Test
    void shouldReportAfterEachTrialWhatThereIs() {
        final SearchRun.End end = search(Map.of());

        final List<SearchTrial> all = end.summary().trials();
        assertThat(parts).hasSameSizeAs(all);
        for (int i = 0; i < all.size(); i++) {
            final SearchSummary part = parts.get(i).summary();
            assertThat(part.trials())
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("notExamined")
                    .as("which of them decide is clear at the end")
                    .containsExactlyElementsOf(all.subList(0, i + 1));
            assertThat(part.verdict()).isEqualTo(Verdict.VOID);
            assertThat(part.lowerBoundPerSecond()).isLessThanOrEqualTo(CAPACITY);
        }
        assertThat(parts.get(all.size() - 2).summary().boundsAreUnconfirmed()).isTrue();
        assertThat(parts.getLast().rows()).isEqualTo(end.rows());
    }

    /** Whoever had the core meanwhile. */
    @Test
    void shouldEndAsAFailureWhereAnAcknowledgedMessageIsLost() {
        engine.acknowledgedLostIn = 3;
        engine.takenIn = 3;

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
}
