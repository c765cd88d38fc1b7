package io.tickmark.lab.control;

import static io.tickmark.lab.control.KnownCapacity.CAPACITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.Outcome;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How new processes and soaks change the answer of a search. */
class ConfirmedAnswerTest extends SearchTesting {
    /** For rounding. */
    private static final double HAIR = 1 + 1e-9;

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

    /** One good confirmation of two is too few here, and adds no row of a refused rate. */
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

    /**
     * A thousand sessions can have rates of a thousand, two thousand and so on, and none in
     * between.
     */
    @Test
    void shouldReportBoundsThatWereOffered() {
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
     * The trials of the search have no noise floor; if it were an excuse, the best of three would
     * count.
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
    void shouldHaveNoRateThatHoldsWhereTheConfirmationLosesAnAcknowledgedMessage() {
        engine.newProcessesLose = true;

        final SearchSummary summary = search(Map.of()).summary();

        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.lowerBoundPerSecond()).isZero();
        assertThat(summary.strictRatePerSecond()).isZero();
        assertThat(of(summary, Purpose.CONFIRMATION)).hasSize(1);
    }
}
