package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.lab.compare.Comparison.ComparedFigure;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The worked example of {@code docs/comparing.md}: each of its figures is what the code computes
 * from the two runs in {@code samples/worked-comparison}, and its formulas, with figures as rounded
 * as the page has them, give the same result.
 */
class WorkedExampleTest {
    private static final Path ROOT = Path.of("..");
    private static final Path RUNS = ROOT.resolve("samples/worked-comparison");
    private static final String MEDIAN = "responseNs.p50";
    private static final double PERCENT = 100;
    private static final double NS_PER_US = 1e3;

    private final Side before = Side.read("A", RUNS.resolve("before"));
    private final Side after = Side.read("B", RUNS.resolve("after"));
    private final Sample first = median(before);
    private final Sample other = median(after);
    private final Contrast contrast = Contrast.of(first, other);
    private final Comparison comparison =
            new Comparer(CompareSettings.DEFAULT, "0.1.0").compare(before, List.of(after));
    private String page = "";

    private static Sample median(final Side side) {
        return new Samples(new IntervalBlocks(side)).of(SideRow.of(side).getFirst()).get(MEDIAN);
    }

    @BeforeEach
    void readThePage() throws IOException {
        final String all = Files.readString(ROOT.resolve("docs/comparing.md"));
        final int begin = all.indexOf("\n## A worked example\n");
        page = all.substring(begin, all.indexOf("<!-- output", begin)).replaceAll("\\s+", " ");
    }

    /** The page has this sentence with these figures. */
    private void says(final String sentence, final Object... figures) {
        assertThat(page).contains(String.format(Locale.ROOT, sentence, figures));
    }

    private ComparedFigure figure(final String name) {
        return comparison.rows().getFirst().figures().stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private double p(final String name) {
        return figure(name).pValue();
    }

    private static String list(final String format, final DoubleStream values) {
        return values.mapToObj(value -> String.format(Locale.ROOT, format, value))
                .collect(Collectors.joining(", "));
    }

    private static double deviation(final Sample sample) {
        return Math.sqrt(sample.varianceOfMean() * sample.repeats());
    }

    @Test
    void shouldBeginWithTheRepeatsAndTheirLogarithms() {
        says(
                "| median of each repeat, ns | %s | %s |",
                list("%,.0f", Arrays.stream(first.logs()).map(Math::exp)),
                list("%,.0f", Arrays.stream(other.logs()).map(Math::exp)));
        says(
                "| natural logarithms | %s | %s |",
                list("%.5f", Arrays.stream(first.logs())),
                list("%.5f", Arrays.stream(other.logs())));
        says("| their mean | %.5f | %.5f |", first.mean(), other.mean());
    }

    @Test
    void shouldComputeTheChangeFromTheMeans() {
        says("%.5f - %.5f = %.5f", other.mean(), first.mean(), contrast.delta());
        says("e^%.5f - 1 = %+.1f %%", contrast.delta(), PERCENT * Math.expm1(contrast.delta()));
        says(
                "e^%.5f = %,.0f ns and e^%.5f = %,.0f ns",
                first.mean(), Math.exp(first.mean()), other.mean(), Math.exp(other.mean()));
    }

    @Test
    void shouldReportTheSpreadOfRepeatsWithoutAFloor() {
        assertThat(first.withinVariance()).isZero();
        assertThat(first.resolution()).isEqualTo(other.resolution()).isEqualTo(1.0 / 1024);
        says(
                "| their standard deviation (5 - 1 = 4 degrees) | %.5f | %.5f |",
                deviation(first), deviation(other));
        says(
                "| variance of the mean: its square, divided by 5 | %.8f | %.8f |",
                first.varianceOfMean(), other.varianceOfMean());
        says(
                "| variance of rounding: (1/1024)² / 12 | %.8f | %.8f |",
                first.roundingVariance(), other.roundingVariance());
    }

    @Test
    void shouldReportErrorAndFreedom() {
        says(
                "√(%.8f + %.8f + 2 × %.8f) = %.6f",
                first.varianceOfMean(),
                other.varianceOfMean(),
                first.roundingVariance(),
                contrast.standardError());
        says(
                "%.5f / %.6f = %.2f",
                contrast.delta(),
                contrast.standardError(),
                contrast.delta() / contrast.standardError());
        says(
                "(%1$.8f + %2$.8f)² / (%1$.8f² / 4 + %2$.8f² / 4) = %3$.2f",
                first.varianceOfMean(), other.varianceOfMean(), contrast.freedom());
        assertThat(Contrast.of(first, first).freedom())
                .as("two that vary alike")
                .isCloseTo(8, within(1e-9));
    }

    @Test
    void shouldAllowSixFiguresAnErrorTogether() {
        says("with probability p = %.5f", contrast.pValue());
        says(
                "p is %.6f (90 %%), %.6f (99.9 %%), %.5f (the median), %.5f (mean), %.2f (99 %%) and %.2f (rate)",
                p("responseNs.p90"),
                p("responseNs.p999"),
                p(MEDIAN),
                p("responseNs.mean"),
                p("responseNs.p99"),
                p(Samples.RATE));
        says("%.5f is at most %.4f", p("responseNs.mean"), 4 * 0.05 / 6);
        says("%.2f is more than %.4f", p("responseNs.p99"), 5 * 0.05 / 6);
        says("4 × 5 %% / 6 = %.2f %%", PERCENT * comparison.errorProbability());
    }

    @Test
    void shouldReportTheIntervalAndThatItIsWorse() {
        final double each = comparison.errorProbability() / 2;
        final double half = contrast.halfWidth(comparison.errorProbability());
        says(
                "leaves %.2f %% on each side beyond %.3f",
                PERCENT * each,
                TDistribution.of(contrast.freedom()).inverseSurvivalProbability(each));
        says(
                "%.4f ± %.3f × %.6f = %.4f .. %.4f",
                contrast.delta(),
                half / contrast.standardError(),
                contrast.standardError(),
                contrast.delta() - half,
                contrast.delta() + half);
        says(
                "which is %+.1f %% .. %+.1f %%",
                PERCENT * figure(MEDIAN).low(), PERCENT * figure(MEDIAN).high());
        says("%.1f %% .. +3 %% is not worth reporting", PERCENT * (1 / 1.03 - 1));
        says("the time is longer: `worse`");
        assertThat(figure(MEDIAN).outcome()).isEqualTo(Outcome.WORSE);
    }

    @Test
    void shouldReportWhatTheNoiseFloorExplains() {
        final SideRow noisy = SideRow.of(after).getFirst();
        says(
                "lost %.2f %% of its time in gaps of up to %.0f us, A's %.2f %%",
                PERCENT * noisy.stolenPart(),
                noisy.longestGapNs() / NS_PER_US,
                PERCENT * SideRow.of(before).getFirst().stolenPart());
        says("its difference of %.1f us is less than one gap", differenceUs("responseNs.p999"));
        says(
                "explains %.2f us, but it differs by %.2f us",
                noisy.stolenPart() * noisy.longestGapNs() / 2 / NS_PER_US,
                differenceUs("responseNs.mean"));
        assertThat(figure("responseNs.mean").outcome()).isEqualTo(Outcome.WORSE);
        assertThat(figure("responseNs.p999"))
                .satisfies(figure -> {
                    assertThat(figure.low()).isGreaterThan(0);
                    assertThat(figure.outcome()).isEqualTo(Outcome.TOO_NOISY);
                });
    }

    private double differenceUs(final String name) {
        return (figure(name).other().value() - figure(name).first().value()) / NS_PER_US;
    }

    @Test
    void shouldReportWhatTheBootstrapWouldHaveChanged() {
        final Sample floored = new Sample(first.logs(), 0.02 * 0.02, first.resolution());
        final Contrast wider = Contrast.of(floored, other);
        final double half = wider.halfWidth(comparison.errorProbability());
        says("0.02² / 5 = %.5f", floored.varianceOfMean());
        says(
                "the interval %+.1f %% .. %+.1f %%",
                PERCENT * Math.expm1(wider.delta() - half),
                PERCENT * Math.expm1(wider.delta() + half));
        assertThat(wider.pValue()).as("told as well").isLessThan(4 * 0.05 / 6);
    }

    private static double shown(final double value, final int decimals) {
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP).doubleValue();
    }

    @Test
    void shouldRoundSoThatAReaderComesToTheSame() {
        final double a = shown(first.varianceOfMean(), 8);
        final double b = shown(other.varianceOfMean(), 8);
        final double rounding = shown(first.roundingVariance(), 8);
        final double error = shown(contrast.standardError(), 6);
        final double half = contrast.halfWidth(comparison.errorProbability());
        final double quantile = shown(half / contrast.standardError(), 3);
        final double change = shown(contrast.delta(), 4);

        assertThat(shown(Math.sqrt(a + b + 2 * rounding), 6)).isEqualTo(error);
        assertThat(shown((a + b) * (a + b) / (a * a / 4 + b * b / 4), 2))
                .isEqualTo(shown(contrast.freedom(), 2));
        assertThat(shown(change - quantile * error, 4))
                .isEqualTo(shown(contrast.delta() - half, 4));
        assertThat(shown(change + quantile * error, 4))
                .isEqualTo(shown(contrast.delta() + half, 4));
    }
}
