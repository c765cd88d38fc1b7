package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.lab.compare.Comparison.BrokenCriterion;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Comparison.Doubt;
import io.tickmark.lab.compare.Comparison.Estimate;
import io.tickmark.lab.compare.Comparison.NotCompared;
import io.tickmark.lab.compare.Comparison.RepeatCounts;
import io.tickmark.lab.compare.Gate.FigureOfRow;
import io.tickmark.lab.compare.Gate.GateFigure;
import io.tickmark.lab.compare.Gate.GateVerdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The verdict on a build: a machine that cannot detect a degradation must not pass it. */
class GateTest {
    private static final double MUST_SEE = 0.1;
    private static final String LOST = "Lost # of #.";

    private static ComparedFigure figure(
            final String name, final double effect, final double half, final Outcome outcome) {
        final Estimate estimate = new Estimate(1, 1, 1, List.of());
        return new ComparedFigure(
                name,
                !name.contains("."),
                estimate,
                estimate,
                effect,
                effect - half,
                effect + half,
                0,
                0.5,
                outcome,
                Doubt.NONE,
                "");
    }

    private static ComparedFigure withClocks(final ComparedFigure figure, final double clockPart) {
        return new ComparedFigure(
                figure.name(),
                figure.moreIsBetter(),
                figure.first(),
                figure.other(),
                figure.effect(),
                figure.low(),
                figure.high(),
                clockPart,
                figure.pValue(),
                figure.outcome(),
                figure.doubt(),
                figure.reason());
    }

    private static ComparedFigure p50(
            final double effect, final double half, final Outcome outcome) {
        return figure("responseNs.p50", effect, half, outcome);
    }

    private static Comparison comparison(
            final List<BrokenCriterion> broken, final ComparedFigure... figures) {
        return comparison(broken, List.of(), figures);
    }

    /** In three repeats of 2,000 messages, which the first run does not break. */
    private static BrokenCriterion broken(final String criterion, final Long... counts) {
        return new BrokenCriterion(
                criterion,
                true,
                new RepeatCounts(2_000, List.of(0L, 0L, 0L)),
                new RepeatCounts(2_000, List.of(counts)));
    }

    private static Comparison comparison(
            final List<BrokenCriterion> broken,
            final List<NotCompared> notCompared,
            final ComparedFigure... figures) {
        return new Comparison(
                Comparison.SCHEMA,
                "0.1.0",
                0.03,
                0.05,
                0.05,
                List.of(),
                List.of(
                        new ComparedRow(
                                "B",
                                "ping",
                                "latency",
                                "shm:",
                                "shm:",
                                0,
                                "",
                                64,
                                0,
                                List.of(),
                                List.of(),
                                broken,
                                notCompared,
                                List.of(figures))),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null);
    }

    private static Gate gate(final ComparedFigure change, final ComparedFigure itself) {
        return Gate.of(complete(change), complete(itself), MUST_SEE, 1_000, true);
    }

    /** With the headline figures beside it, which did not change. */
    private static Comparison complete(final ComparedFigure figure) {
        return comparison(
                List.of(),
                Stream.concat(
                                Stream.of(figure),
                                Stream.of("responseNs.p50", "responseNs.p99")
                                        .filter(name -> !name.equals(figure.name()))
                                        .map(name -> figure(name, 0, 0.01, Outcome.NO_DIFFERENCE)))
                        .toArray(ComparedFigure[]::new));
    }

    @Test
    void shouldPassWhereAChangeThatHasToBeSeenIsRuledOut() {
        final Gate gate =
                gate(p50(0.02, 0.05, Outcome.NO_DIFFERENCE), p50(0.01, 0.03, Outcome.TOO_NOISY));

        assertThat(gate.verdict()).isEqualTo(GateVerdict.PASSED);
        final GateFigure figure = gate.figures().getFirst();
        assertThat(figure.againstItself()).hasValue(0.01);
        assertThat(figure.worstCase().orElseThrow()).isCloseTo(0.07, within(1e-9));
        assertThat(figure.tells())
                .as("what A may differ from itself by, not how well B is known")
                .hasValueCloseTo(0.04, within(1e-9));
    }

    /** It passed with figures that were too noisy to tell in the table. */
    @Test
    void shouldBeUndecidedWhereTheClocksOfHostsCouldHaveHiddenSuchAChange() {
        final ComparedFigure same = p50(0, 0.01, Outcome.NO_DIFFERENCE);

        assertThat(gate(withClocks(same, 0.08), withClocks(same, 0.08)).verdict())
                .isEqualTo(GateVerdict.PASSED);
        final Gate gate = gate(withClocks(same, 0.1), withClocks(same, 0.2));
        assertThat(gate.verdict()).isEqualTo(GateVerdict.UNDECIDED);
        assertThat(gate.figures().getFirst().worstCase()).hasValueCloseTo(0.11, within(1e-9));
        assertThat(gate.figures().getFirst().tells()).hasValueCloseTo(0.21, within(0.001));
        assertThat(gate(p50(0.2, 0.01, Outcome.WORSE), withClocks(same, 0.3)).worse())
                .as("worse by no more than the clocks may have made of the first run itself")
                .isZero();
    }

    @Test
    void shouldNotPassOneWayTimesWithinTheBoundsOfTheClocks() {
        final double[] both = {20_000, 20_010, 19_990, 20_005, 19_995};
        final Side a = ComparerTest.stream("A", 3_000, both);
        final Comparison itself = CompareSamples.compare(a, ComparerTest.stream("A", 3_000, both));

        final Comparison change = CompareSamples.compare(a, ComparerTest.stream("B", 2_000, both));
        assertThat(Gate.of(change, itself, MUST_SEE, 1_000, true).verdict())
                .isEqualTo(GateVerdict.UNDECIDED);
        assertThat(Gate.of(change, itself, 0.3, 1_000, true).verdict())
                .as("more than the bounds of a quarter")
                .isEqualTo(GateVerdict.PASSED);
    }

    @Test
    void shouldBeUndecidedWhereSuchAChangeCouldHaveHidden() {
        assertThat(
                        gate(p50(0.02, 0.09, Outcome.TOO_NOISY), p50(0, 0.09, Outcome.TOO_NOISY))
                                .verdict())
                .isEqualTo(GateVerdict.UNDECIDED);
        // a rate that falls is what gets worse
        assertThat(
                        gate(
                                        figure("ratePerSecond", 0.3, 0.05, Outcome.BETTER),
                                        figure("ratePerSecond", 0, 0.01, Outcome.BETTER))
                                .verdict())
                .isEqualTo(GateVerdict.PASSED);
        assertThat(
                        gate(
                                        figure("ratePerSecond", -0.05, 0.09, Outcome.TOO_NOISY),
                                        figure("ratePerSecond", 0, 0.01, Outcome.BETTER))
                                .verdict())
                .isEqualTo(GateVerdict.UNDECIDED);
    }

    @Test
    void shouldBeUndecidedWhereNothingHasAnInterval() {
        assertThat(gate(p50(0, 0, Outcome.TOO_NOISY), p50(0, 0, Outcome.TOO_NOISY)).verdict())
                .isEqualTo(GateVerdict.UNDECIDED);
        assertThat(
                        Gate.of(comparison(List.of()), comparison(List.of()), MUST_SEE, 1_000, true)
                                .verdict())
                .isEqualTo(GateVerdict.UNDECIDED);
    }

    /** A percentile that is not there was not seen to be as good. */
    @Test
    void shouldBeUndecidedWhereAPercentileHasTooFewMessages() {
        final ComparedFigure median = figure("responseNs.p50", 0, 0.01, Outcome.NO_DIFFERENCE);

        final Gate gate = oneRow(median, figure("ratePerSecond", 0, 0.01, Outcome.BETTER));

        assertThat(gate.verdict()).isEqualTo(GateVerdict.UNDECIDED);
        assertThat(gate.figures())
                .filteredOn(each -> !each.decided())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.name()).isEqualTo("responseNs.p99");
                    assertThat(each.effect()).isEmpty();
                });
        assertThat(
                        oneRow(median, figure("responseNs.p99", 0, 0.01, Outcome.NO_DIFFERENCE))
                                .verdict())
                .isEqualTo(GateVerdict.PASSED);
    }

    /** It passed by its rate alone. */
    @Test
    void shouldBeUndecidedWhereALatencyOrTheRateThatARunMeasuredCouldNotBeCompared() {
        final ComparedFigure rate = figure("ratePerSecond", 0, 0.01, Outcome.BETTER);
        final ComparedFigure[] service = {
            figure("serviceNs.p50", 0, 0.01, Outcome.NO_DIFFERENCE),
            figure("serviceNs.p99", 0, 0.01, Outcome.NO_DIFFERENCE)
        };

        assertThat(lacking("undisturbedNs", rate))
                .extracting(GateFigure::name)
                .containsExactly("undisturbedNs.p50", "undisturbedNs.p99");
        assertThat(lacking("undisturbedNs", rate))
                .allMatch(figure -> figure.whyUnknown().equals("because B has none"));
        assertThat(lacking("responseNs", service))
                .as("the latency that judges, though both have another")
                .extracting(GateFigure::name)
                .containsExactly("responseNs.p50", "responseNs.p99");
        assertThat(lacking("ratePerSecond", service))
                .extracting(GateFigure::name)
                .containsExactly("ratePerSecond");
        assertThat(lacking("sendNs", p50(0, 0.01, Outcome.BETTER), p99()))
                .as("judged by another")
                .isEmpty();
    }

    private static ComparedFigure p99() {
        return figure("responseNs.p99", 0, 0.01, Outcome.NO_DIFFERENCE);
    }

    /** What is undecided where nothing else of the row is. */
    private static List<GateFigure> lacking(final String name, final ComparedFigure... figures) {
        final Comparison same =
                comparison(List.of(), List.of(new NotCompared(name, "B has none")), figures);
        final Gate gate = Gate.of(same, same, MUST_SEE, 1_000, true);
        final List<GateFigure> open =
                gate.figures().stream().filter(figure -> !figure.decided()).toList();
        assertThat(gate.verdict())
                .isEqualTo(open.isEmpty() ? GateVerdict.PASSED : GateVerdict.UNDECIDED);
        return open;
    }

    /** Against the same once more. */
    private static Gate oneRow(final ComparedFigure... figures) {
        final Comparison same = comparison(List.of(), figures);
        return Gate.of(same, same, MUST_SEE, 1_000, true);
    }

    @Test
    void shouldNotPassWhereASideWasNotMeasuredToItsEnd() {
        final Comparison same = complete(p50(0, 0.01, Outcome.NO_DIFFERENCE));

        assertThat(Gate.of(same, same, MUST_SEE, 1_000, false).verdict())
                .isEqualTo(GateVerdict.UNDECIDED);
        final Comparison worse = comparison(List.of(), p50(0.2, 0.01, Outcome.WORSE));
        assertThat(Gate.of(worse, same, MUST_SEE, 1_000, false).verdict())
                .isEqualTo(GateVerdict.WORSE);
    }

    @Test
    void shouldHoldNothingAgainstTheOtherThatTheFirstDiffersFromItself() {
        final ComparedFigure worse = p50(0.06, 0.02, Outcome.WORSE);

        assertThat(gate(worse, p50(0.01, 0.02, Outcome.NO_DIFFERENCE)).verdict())
                .isEqualTo(GateVerdict.WORSE);
        assertThat(gate(worse, p50(0.01, 0.06, Outcome.TOO_NOISY)).verdict())
                .as("A may differ from itself by as much")
                .isEqualTo(GateVerdict.PASSED);
        assertThat(gate(worse, p50(0.01, 0.06, Outcome.TOO_NOISY)).withinItself())
                .containsExactly(new FigureOfRow(0, "responseNs.p50"));
        assertThat(gate(worse, p50(0.01, 0.02, Outcome.NO_DIFFERENCE)).withinItself()).isEmpty();
        assertThat(gate(p50(0.11, 0.02, Outcome.WORSE), p50(-0.2, 0.02, Outcome.BETTER)).verdict())
                .isEqualTo(GateVerdict.UNDECIDED);
    }

    /** It passed a change of 14 %, and one on a machine whose own measurements differ by 80 %. */
    @Test
    void shouldBeUndecidedWhereTheFirstIsShownToDifferFromItself() {
        final Gate gate = gate(p50(0.06, 0.02, Outcome.WORSE), p50(-0.07, 0.02, Outcome.BETTER));

        assertThat(gate.verdict()).isEqualTo(GateVerdict.UNDECIDED);
        assertThat(gate.figures().getFirst().worstCase())
                .as("8 % and at least 5 % less time")
                .hasValueCloseTo(1.08 / 0.95 - 1, within(1e-9));
        assertThat(
                        gate(p50(0, 0.01, Outcome.NO_DIFFERENCE), p50(0.8, 0.05, Outcome.WORSE))
                                .verdict())
                .isEqualTo(GateVerdict.UNDECIDED);
        assertThat(
                        gate(p50(0, 0.01, Outcome.NO_DIFFERENCE), p50(0.04, 0.02, Outcome.WORSE))
                                .verdict())
                .as("by little")
                .isEqualTo(GateVerdict.PASSED);
        assertThat(
                        gate(
                                        p50(0, 0.01, Outcome.NO_DIFFERENCE),
                                        withClocks(p50(0.8, 0.05, Outcome.TOO_NOISY), 0.75))
                                .verdict())
                .as("the clocks may have made it")
                .isEqualTo(GateVerdict.PASSED);
    }

    /** A rate that falls to a half is 50 % worse, also where the first run's doubles. */
    @Test
    void shouldAddToARateWhatTheFirstDiffersFromItself() {
        final Gate gate =
                gate(
                        figure("ratePerSecond", 0, 0.1, Outcome.NO_DIFFERENCE),
                        figure("ratePerSecond", 1, 0.2, Outcome.BETTER));

        assertThat(gate.verdict()).isEqualTo(GateVerdict.UNDECIDED);
        assertThat(gate.figures().getFirst().worstCase())
                .hasValueCloseTo(1 - 0.9 / 1.8, within(1e-9));
    }

    @Test
    void shouldFailForWhatIsNoHeadlineFigureAndForABrokenCriterion() {
        final Comparison tail =
                comparison(
                        List.of(),
                        p50(0, 0.01, Outcome.NO_DIFFERENCE),
                        figure("responseNs.p999", 2, 0.5, Outcome.WORSE),
                        figure("serviceNs.p50", 0, 5, Outcome.TOO_NOISY));
        final ComparedFigure itself = figure("responseNs.p999", 0, 0.5, Outcome.TOO_NOISY);
        final Gate gate = Gate.of(tail, comparison(List.of(), itself), MUST_SEE, 1_000, true);

        assertThat(gate.verdict()).isEqualTo(GateVerdict.WORSE);
        assertThat(gate.figures())
                .extracting(GateFigure::name)
                .as("of the latency that judges")
                .containsExactly("responseNs.p50", "responseNs.p99");
        assertThat(
                        Gate.of(
                                        broken(broken(LOST, 0L, 1L, 0L)),
                                        comparison(List.of()),
                                        MUST_SEE,
                                        1_000,
                                        true)
                                .verdict())
                .isEqualTo(GateVerdict.WORSE);
    }

    private static Comparison broken(final BrokenCriterion... criteria) {
        return comparison(List.of(criteria), p50(0, 0.01, Outcome.NO_DIFFERENCE), p99());
    }

    /** A datagram that was lost on either side of the same build says nothing about the other. */
    @Test
    void shouldBeUndecidedWhereTheFirstBreaksTheSameCriterionWhenItIsMeasuredAgain() {
        final Comparison loses = broken(broken(LOST, 0L, 0L, 1L));
        final Comparison losesMore = broken(broken(LOST, 0L, 12L, 0L));

        final Gate gate = Gate.of(losesMore, loses, MUST_SEE, 1_000, true);

        assertThat(gate.verdict()).isEqualTo(GateVerdict.UNDECIDED);
        assertThat(gate.worse()).isZero();
        final Comparison late =
                broken(broken(LOST, 1L, 0L, 0L), broken("# pings had no echo.", 0L, 3L, 0L));
        assertThat(Gate.of(late, loses, MUST_SEE, 1_000, true).worse()).isEqualTo(1);
    }

    @Test
    void shouldFailWhereTheOtherLosesFarMoreThanTheFirstWhenItIsMeasuredAgain() {
        final Comparison loses = broken(broken(LOST, 0L, 0L, 1L));

        for (final BrokenCriterion more :
                List.of(
                        broken(LOST, 1_000L, 1_000L, 1_000L),
                        broken(LOST, 0L, 1_000L, 0L),
                        broken(LOST, 1L, 1L, 1L))) {
            assertThat(Gate.of(broken(more), loses, MUST_SEE, 1_000, true).verdict())
                    .as("%s", more.other())
                    .isEqualTo(GateVerdict.WORSE);
        }
    }

    /**
     * A runner that loses a ping in every third repeat does not fail builds that change nothing.
     */
    @Test
    void shouldNotFailForALossInAFewMoreRepeatsThanTheFirst() {
        final Comparison loses = broken(broken(LOST, 0L, 0L, 1L));

        assertThat(Gate.of(broken(broken(LOST, 1L, 0L, 1L)), loses, MUST_SEE, 1_000, true).worse())
                .isZero();
    }

    @Test
    void shouldBeUndecidedWhereTheFirstWasNotMeasuredAgain() {
        final Comparison worse = complete(p50(0.5, 0.01, Outcome.WORSE));

        final Gate gate = Gate.of(worse, comparison(List.of()), MUST_SEE, 1_000, true);

        assertThat(gate.verdict()).isEqualTo(GateVerdict.UNDECIDED);
        assertThat(gate.worse()).isZero();
    }
}
