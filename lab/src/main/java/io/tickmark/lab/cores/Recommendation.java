package io.tickmark.lab.cores;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.Percentiles;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.stats.Summaries;
import io.tickmark.lab.verdict.Headline;
import io.tickmark.lab.verdict.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Which of several placements did best. With a requested rate, by the 99th percentile of the
 * headline latency; as fast as possible, by the received rate. For a test of several steps, the
 * figure of a repeat is the geometric mean over its steps, in which each has the same weight
 * regardless of its size. The median of the repeats counts, and a placement is only called better
 * where its range and the other's do not overlap, and both have enough repeats for a range.
 *
 * @param byRate whether more is better (a rate), otherwise less (a latency)
 * @param steps of the test that its figures are derived from
 * @param scores best first
 * @param unknown placements without a figure: all their repeats were void, or had none
 */
public record Recommendation(
        boolean byRate, int steps, List<Score> scores, List<CorePlacement> unknown) {
    /** Of two alike, all of fewer repeats lie apart too often: two and two in every third case. */
    private static final int FEWEST_REPEATS = 3;

    /** Copies the lists. */
    public Recommendation {
        scores = List.copyOf(scores);
        unknown = List.copyOf(unknown);
    }

    /**
     * The score of one placement.
     *
     * @param placement of the threads
     * @param figure over the repeats: messages per second, or ns
     * @param repeats with a figure: those of which each step has one
     * @param failed repeats that failed or were void
     */
    public record Score(CorePlacement placement, Aggregate.Spread figure, int repeats, int failed) {
        private boolean isOfFew() {
            return repeats < FEWEST_REPEATS;
        }
    }

    /**
     * Compares placements of one test.
     *
     * @param trials rows of each placement
     * @return their scores
     */
    public static Recommendation of(final Map<CorePlacement, List<TrialResult>> trials) {
        final boolean byRate =
                trials.values().stream()
                        .flatMap(List::stream)
                        .filter(row -> row.verdict() != Verdict.VOID)
                        .allMatch(row -> row.labels().contains(Labels.AS_FAST_AS_POSSIBLE));
        final Set<Integer> steps =
                trials.values().stream()
                        .flatMap(List::stream)
                        .filter(row -> row.verdict() != Verdict.VOID)
                        .map(TrialResult::step)
                        .collect(Collectors.toSet());
        final List<Score> scores = new ArrayList<>();
        final List<CorePlacement> unknown = new ArrayList<>();
        trials.forEach((placement, rows) -> {
            final Collection<List<TrialResult>> repeats =
                    rows.stream().collect(Collectors.groupingBy(TrialResult::repeat)).values();
            final double[] figures =
                    repeats.stream()
                            .flatMapToDouble(repeat -> figure(repeat, steps.size(), byRate))
                            .toArray();
            if (figures.length == 0) {
                unknown.add(placement);
            } else {
                scores.add(
                        new Score(
                                placement,
                                Summaries.spread(figures),
                                figures.length,
                                (int)
                                        repeats.stream()
                                                .filter(Recommendation::isAnyNotPassed)
                                                .count()));
            }
        });
        final Comparator<Score> better =
                Comparator.comparingDouble(score -> score.figure().median());
        scores.sort(
                Comparator.comparingInt(Score::failed)
                        .thenComparing(byRate ? better.reversed() : better));
        return new Recommendation(byRate, steps.size(), scores, unknown);
    }

    private static boolean isAnyNotPassed(final List<TrialResult> repeat) {
        return repeat.stream().anyMatch(row -> row.verdict() != Verdict.PASS);
    }

    /** Empty where a step has none: the mean of the others would be that of another test. */
    private static DoubleStream figure(
            final List<TrialResult> repeat, final int steps, final boolean byRate) {
        final double[] figures =
                repeat.stream()
                        .filter(row -> row.verdict() != Verdict.VOID)
                        .flatMap(row -> figure(row, byRate).stream())
                        .mapToDouble(Double::doubleValue)
                        .toArray();
        if (figures.length == 0 || figures.length < steps) {
            return DoubleStream.empty();
        }
        return DoubleStream.of(
                steps == 1
                        ? figures[0] // to the last digit
                        : Math.exp(
                                DoubleStream.of(figures).map(Math::log).average().orElseThrow()));
    }

    private static Optional<Double> figure(final TrialResult row, final boolean byRate) {
        if (byRate) {
            return Optional.of(row.arrivedRatePerSecond());
        }
        return Headline.of(row)
                .map(LatencySummary::p99)
                .filter(OptionalLong::isPresent)
                .map(ns -> (double) ns.getAsLong());
    }

    /**
     * Placements that cannot be distinguished from the best: their ranges overlap its range, or one
     * of the two has too few repeats for a range.
     *
     * @return placements, without the best itself
     */
    public List<CorePlacement> asGood() {
        if (scores.isEmpty()) {
            return List.of();
        }
        final Score best = scores.getFirst();
        return scores.stream()
                .skip(1)
                .filter(score ->
                        best.isOfFew()
                                || score.isOfFew() // whatever has made them few
                                || score.failed() == best.failed()
                                        && score.figure().min() <= best.figure().max()
                                        && score.figure().max() >= best.figure().min())
                .map(Score::placement)
                .toList();
    }

    /**
     * The advice.
     *
     * @return a sentence
     */
    public String sentence() {
        if (scores.isEmpty()) {
            return "No placement gave a figure, so that nothing can be recommended: every repeat was void, in whole or in"
                    + " part"
                    + (byRate
                            ? "."
                            : ", or had fewer than the %,d messages that a 99th percentile needs."
                                    .formatted(100 * Percentiles.FEWEST_ABOVE));
        }
        if (scores.size() == 1) {
            return "Only %s gave a figure, so that nothing can be recommended.%s"
                    .formatted(scores.getFirst().placement().name(), withoutFigure());
        }
        return advice() + ofSteps() + withoutFigure();
    }

    private String ofSteps() {
        return steps > 1
                ? " The figures are geometric means over the %d steps of the test.".formatted(steps)
                : "";
    }

    private String withoutFigure() {
        return unknown.isEmpty()
                ? ""
                : " Without a figure: %s."
                        .formatted(
                                String.join(
                                        ", ", unknown.stream().map(CorePlacement::name).toList()));
    }

    private String advice() {
        final CorePlacement best = scores.getFirst().placement();
        final List<CorePlacement> others = asGood();
        final List<String> few =
                scores.stream()
                        .filter(Score::isOfFew)
                        .map(Score::placement)
                        .filter(placement ->
                                placement.equals(best)
                                        || placement.equals(CorePlacement.FREE)
                                                && others.contains(placement))
                        .map(CorePlacement::name)
                        .toList();
        if (!few.isEmpty()) {
            return ("Nothing can be recommended: %s %s fewer than %d repeats with a figure, which cannot say how much"
                            + " repeats differ; repeat more often (--repeats).")
                    .formatted(
                            String.join(" and ", few),
                            few.size() == 1 ? "has" : "have",
                            FEWEST_REPEATS);
        }
        if (others.contains(CorePlacement.FREE) || best.equals(CorePlacement.FREE)) {
            return best.equals(CorePlacement.FREE) && others.isEmpty()
                    ? "Recommended: leave the threads to the system; every other placement was worse."
                    : "No placement is better than leaving the threads to the system by more than the spread of the repeats; "
                            + "repeat more often (--repeats) to detect smaller differences.";
        }
        return "Recommended: %s (%s)%s."
                .formatted(
                        best.name(),
                        best.words(),
                        others.isEmpty()
                                ? ""
                                : "; not distinguishable from it: "
                                        + String.join(
                                                ", ",
                                                others.stream().map(CorePlacement::name).toList()));
    }
}
