package io.tickmark.lab.cores;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.stats.Summaries;
import io.tickmark.lab.verdict.Headline;
import io.tickmark.lab.verdict.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which of several placements did best. With a rate asked for, by the 99th percentile of the
 * headline latency; as fast as possible, by the rate that arrived; the median of the repeats
 * counts, and a placement is only called better where its range and the other's do not overlap.
 *
 * @param byRate whether more is better (a rate), else less (a latency)
 * @param scores best first
 * @param unknown placements without a figure: all their repeats were void, or told none
 */
public record Recommendation(boolean byRate, List<Score> scores, List<Placement> unknown) {
    /** Copies the lists. */
    public Recommendation {
        scores = List.copyOf(scores);
        unknown = List.copyOf(unknown);
    }

    /**
     * How one placement did.
     *
     * @param placement of the threads
     * @param figure over the repeats: messages per second, or ns
     * @param repeats with a figure
     * @param failed repeats that failed or were void
     */
    public record Score(Placement placement, Aggregate.Spread figure, int repeats, int failed) {}

    /**
     * Compares placements of one test.
     *
     * @param trials rows of each placement
     * @return their scores
     */
    public static Recommendation of(final Map<Placement, List<TrialResult>> trials) {
        final boolean byRate =
                trials.values().stream()
                        .flatMap(List::stream)
                        .filter(row -> row.verdict() != Verdict.VOID)
                        .allMatch(row -> row.labels().contains(Labels.AS_FAST_AS_POSSIBLE));
        final List<Score> scores = new ArrayList<>();
        final List<Placement> unknown = new ArrayList<>();
        trials.forEach((placement, rows) -> {
            final double[] figures =
                    rows.stream()
                            .filter(row -> row.verdict() != Verdict.VOID)
                            .flatMap(row -> figure(row, byRate).stream())
                            .mapToDouble(Double::doubleValue)
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
                                        rows.stream()
                                                .filter(row -> row.verdict() != Verdict.PASS)
                                                .count()));
            }
        });
        final Comparator<Score> better =
                Comparator.comparingDouble(score -> score.figure().median());
        scores.sort(
                Comparator.comparingInt(Score::failed)
                        .thenComparing(byRate ? better.reversed() : better));
        return new Recommendation(byRate, scores, unknown);
    }

    private static Optional<Double> figure(final TrialResult row, final boolean byRate) {
        if (byRate) {
            return Optional.of(
                    row.expected() > 0
                            ? row.achievedRatePerSecond() * row.received() / row.expected()
                            : row.achievedRatePerSecond());
        }
        return Headline.of(row).map(latency -> (double) latency.p99());
    }

    /**
     * Those that cannot be told from the best: their ranges overlap its range.
     *
     * @return placements, the best itself not among them
     */
    public List<Placement> asGood() {
        if (scores.isEmpty()) {
            return List.of();
        }
        final Score best = scores.getFirst();
        return scores.stream()
                .skip(1)
                .filter(score ->
                        score.failed() == best.failed()
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
            return "No placement gave a figure; nothing can be recommended.";
        }
        if (scores.size() == 1) {
            return "Only %s gave a figure, so that nothing can be recommended.%s"
                    .formatted(scores.getFirst().placement().name(), withoutFigure());
        }
        return advice() + withoutFigure();
    }

    private String withoutFigure() {
        return unknown.isEmpty()
                ? ""
                : " Without a figure: %s."
                        .formatted(
                                String.join(", ", unknown.stream().map(Placement::name).toList()));
    }

    private String advice() {
        final Placement best = scores.getFirst().placement();
        final List<Placement> others = asGood();
        if (others.contains(Placement.FREE) || best.equals(Placement.FREE)) {
            return best.equals(Placement.FREE) && others.isEmpty()
                    ? "Recommended: leave the threads to the system; every other placement was worse."
                    : "No placement is better than leaving the threads to the system by more than the spread of the"
                            + " repeats; repeat more often (--repeats) to tell smaller differences.";
        }
        return "Recommended: %s (%s)%s."
                .formatted(
                        best.name(),
                        best.words(),
                        others.isEmpty()
                                ? ""
                                : "; not to be told from it: "
                                        + String.join(
                                                ", ",
                                                others.stream().map(Placement::name).toList()));
    }
}
