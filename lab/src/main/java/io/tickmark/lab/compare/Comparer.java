package io.tickmark.lab.compare;

import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Comparison.Difference;
import io.tickmark.lab.compare.Comparison.Doubt;
import io.tickmark.lab.compare.Comparison.Estimate;
import io.tickmark.lab.compare.Comparison.NotCompared;
import io.tickmark.lab.compare.Comparison.SideSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Compares runs with a first one.
 *
 * <p>Each figure is taken from each repeat, and the means of their logarithms are compared ({@link
 * Contrast}); the variance between the seconds within a repeat ({@link BlockBootstrap}) and the
 * step of the scale are minimum widths. The false discovery rate is controlled over all figures
 * ({@link Discoveries}). A difference is reported where its interval excludes zero and reaches the
 * smallest relevant difference; figures are equal where the interval is within that; everything
 * else is too noisy. That equal figures are shown to be close, and not merely not shown to differ,
 * is the rule of equivalence tests (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics
 * 15, 1987).
 */
public final class Comparer {
    private static final int FEWEST_REPEATS = 2;

    private static final double NS_PER_US = 1e3;

    /** Why a latency is not compared that every repeat has. */
    private static final String NO_MESSAGES = "a repeat has no message for it";

    private final CompareSettings settings;
    private final String version;
    private final Function<Side, Samples.BlockSource> blocks;
    private final List<String> notes = new ArrayList<>();
    private final List<String> nothing = new ArrayList<>();

    /**
     * A comparer, for one comparison.
     *
     * @param settings how to compare
     * @param version of tickmark, for the record
     */
    public Comparer(final CompareSettings settings, final String version) {
        this(settings, version, IntervalBlocks::new);
    }

    Comparer(
            final CompareSettings settings,
            final String version,
            final Function<Side, Samples.BlockSource> blocks) {
        this.settings = settings;
        this.version = version;
        this.blocks = blocks;
    }

    /** A figure before its interval is known. */
    private record Raw(String name, Sample first, Sample other, Contrast contrast) {}

    /** A row before its intervals are known. */
    private record RawRow(
            Side side,
            RowPairs.Pair pair,
            BrokenCriteria broken,
            List<Raw> figures,
            List<NotCompared> notCompared) {}

    /**
     * Compares.
     *
     * @param first the run that the others are compared with
     * @param others at least one
     * @return all results
     * @throws UserError if no other run has anything in common with the first
     */
    public Comparison compare(final Side first, final List<Side> others) {
        final Comparison comparison = compareAnyway(first, others);
        if (nothing.size() == others.size()) {
            throw whyNothing();
        }
        return comparison;
    }

    /**
     * Why a run cannot be judged at all, where what it measured is not to blame: the machine or the
     * user spoiled its repeats, the first run's are void, or one of both measured nothing.
     *
     * @param first the run to compare with
     * @param other the run to judge
     * @return a sentence; empty where they can be compared, or share no row for another reason
     */
    public static Optional<String> whyUndecided(final Side first, final Side other) {
        return new RowPairs(first, other).undecided();
    }

    /**
     * Why {@link Comparison#comparesNothing}.
     *
     * @return the error to throw where that was asked for
     */
    public UserError whyNothing() {
        return UserError.usage(
                nothing.isEmpty()
                        ? "The runs have no figure in common: " + String.join(" ", notes)
                        : nothing.getFirst());
    }

    /**
     * Compares, also where nothing can be compared: then the notes say why.
     *
     * @param first the run that the others are compared with
     * @param others at least one
     * @return all results
     */
    public Comparison compareAnyway(final Side first, final List<Side> others) {
        final List<RawRow> rows = new ArrayList<>();
        final List<Difference> differences = new ArrayList<>();
        final List<String> missing = new ArrayList<>();
        for (final Side other : others) {
            final RowPairs pairs = new RowPairs(first, other);
            pairs.nothing().ifPresent(nothing::add);
            notes.addAll(pairs.alone());
            missing.addAll(pairs.missing());
            rows.addAll(rows(first, other, pairs));
            differences.addAll(Differences.of(first, other));
        }
        final double[] pValues =
                rows.stream()
                        .flatMap(row -> row.figures().stream())
                        .filter(figure -> figure.contrast().isKnown())
                        .mapToDouble(figure -> figure.contrast().pValue())
                        .toArray();
        final double error = Discoveries.errorProbability(pValues, settings.errorRate());
        final List<SideSummary> sides = new ArrayList<>();
        sides.add(summary(first));
        others.forEach(other -> sides.add(summary(other)));
        if (settings.undisturbed()) {
            notes.add(
                    "Latencies are judged by the undisturbed figures: messages that the machine held up are left out on both"
                            + " sides. Losses, rates and criteria are as measured.");
        }
        noteProcesses(first);
        others.forEach(this::noteProcesses);
        noteClocks(first);
        others.forEach(this::noteClocks);
        return new Comparison(
                Comparison.SCHEMA,
                version,
                settings.minEffect(),
                settings.errorRate(),
                error,
                sides,
                rows.stream().map(row -> judged(row, error)).toList(),
                missing,
                List.of(),
                differences,
                notes.stream().distinct().toList(),
                null);
    }

    private List<RawRow> rows(final Side first, final Side other, final RowPairs pairs) {
        final Samples.BlockSource firstBlocks = blocks.apply(first);
        final Samples.BlockSource otherBlocks = blocks.apply(other);
        final Samples firstSamples = new Samples(firstBlocks);
        final Samples otherSamples = new Samples(otherBlocks);
        final List<RawRow> rows = new ArrayList<>();
        if (!settings.undisturbed()) {
            noteRepeats(
                    "The machine disturbed %s; --undisturbed judges latencies without the messages that it held up.",
                    first, other, pairs, SideRow::disturbed);
        }
        noteRepeats(
                "Another task perhaps had a core of the test in %s: what differs may be due to the machine.",
                first, other, pairs, SideRow::perhapsTaken);
        for (final RowPairs.Pair pair : pairs.pairs()) {
            final BrokenCriteria broken = BrokenCriteria.of(pair);
            if (pair.other().isVoid()) {
                rows.add(new RawRow(other, pair, broken, List.of(), List.of()));
                continue;
            }
            final Optional<String> whyNotUndisturbed =
                    settings.undisturbed()
                            ? whyNotUndisturbed(first, other, pair)
                            : Optional.empty();
            final Map<String, Sample> left;
            final Map<String, Sample> right;
            if (!settings.undisturbed()) {
                left = firstSamples.of(pair.first());
                right = otherSamples.of(pair.other());
            } else if (whyNotUndisturbed.isEmpty()) {
                left = firstSamples.undisturbed(pair.first());
                right = otherSamples.undisturbed(pair.other());
            } else {
                left = firstSamples.rate(pair.first());
                right = otherSamples.rate(pair.other());
            }
            final List<Raw> figures = new ArrayList<>();
            left.forEach((name, sample) -> {
                final Sample counterpart = right.get(name);
                if (counterpart != null) {
                    figures.add(
                            new Raw(name, sample, counterpart, Contrast.of(sample, counterpart)));
                }
            });
            if (figures.isEmpty()) {
                notes.add("%s has no figure in common.".formatted(pair.first().place()));
            }
            final List<NotCompared> notCompared =
                    new Lacking(first, other, pair)
                            .of(
                                    figures.stream().map(Raw::name).toList(),
                                    settings.undisturbed(),
                                    whyNotUndisturbed);
            if (whyNotUndisturbed.isEmpty()) {
                noteNotCompared(pair.first(), figures, notCompared);
            }
            if (!figures.isEmpty() || !broken.sentences().isEmpty() || !notCompared.isEmpty()) {
                rows.add(new RawRow(other, pair, broken, figures, notCompared));
            }
        }
        notes.addAll(firstBlocks.problems());
        notes.addAll(otherBlocks.problems());
        return rows;
    }

    /** What the machine took is no difference between two sides. */
    private void noteRepeats(
            final String sentence,
            final Side first,
            final Side other,
            final RowPairs pairs,
            final ToLongFunction<SideRow> count) {
        final String left = counted(first, pairs.pairs().stream().map(RowPairs.Pair::first), count);
        final String right =
                counted(other, pairs.pairs().stream().map(RowPairs.Pair::other), count);
        final String both =
                Stream.of(left, right)
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(" and "));
        if (!both.isEmpty()) {
            notes.add(sentence.formatted(both));
        }
    }

    private static String counted(
            final Side side, final Stream<SideRow> rows, final ToLongFunction<SideRow> count) {
        final List<SideRow> all = rows.toList();
        final long counted = all.stream().mapToLong(count).sum();
        return counted == 0
                ? ""
                : "%d of %d repeats of %s"
                        .formatted(
                                counted,
                                all.stream().mapToLong(row -> row.repeats().size()).sum(),
                                side.name());
    }

    /** A latency of its own on each side leaves nothing to judge by but the rate. */
    private void noteNotCompared(
            final SideRow row, final List<Raw> figures, final List<NotCompared> notCompared) {
        if (figures.stream().allMatch(figure -> figure.name().equals(Samples.RATE))) {
            notCompared.stream()
                    .filter(each -> !each.name().equals(Samples.RATE))
                    .forEach(each ->
                            notes.add(
                                    "%s of %s is not compared; %s."
                                            .formatted(each.name(), row.place(), each.reason())));
        }
    }

    /** Why latencies of the row are not judged; empty where they are. */
    private Optional<String> whyNotUndisturbed(
            final Side first, final Side other, final RowPairs.Pair pair) {
        Optional<String> why =
                pair.first()
                        .notUndisturbed()
                        .map(reason -> first.name() + " has no undisturbed figures: " + reason)
                        .or(() ->
                                pair.other()
                                        .notUndisturbed()
                                        .map(reason ->
                                                other.name()
                                                        + " has no undisturbed figures: "
                                                        + reason));
        final double left = pair.first().leftOutPart();
        final double right = pair.other().leftOutPart();
        if (why.isEmpty() && Math.abs(left - right) > Undisturbed.MOST_APART) {
            why =
                    Optional.of(
                            "%s leaves out %.1f %% of its messages, %s %.1f %%"
                                    .formatted(
                                            first.name(), 100 * left, other.name(), 100 * right));
        }
        why.ifPresent(reason ->
                notes.add(
                        "Latencies of %s are not judged; %s."
                                .formatted(pair.first().place(), reason)));
        return why;
    }

    private SideSummary summary(final Side side) {
        final int repeats =
                SideRow.of(side).stream().mapToInt(row -> row.repeats().size()).max().orElse(0);
        if (repeats > 0 && repeats < FEWEST_REPEATS) {
            notes.add(
                    "%s has one repeat, which cannot say how much repeats differ; measure it with --repeats 5 or more."
                            .formatted(side.name()));
        }
        if (!side.result().searches().isEmpty()) {
            notes.add(
                    "%s holds searches; the bounds that they found have intervals of their own and are not compared."
                            .formatted(side.name()));
        }
        if (side.result().verdict() == Verdict.VOID) {
            notes.add(
                    "%s is void or not complete, and only what it measured is compared: %s"
                            .formatted(
                                    side.name(),
                                    side.result().reasons().stream()
                                            .findFirst()
                                            .orElse("no reason was given.")));
        }
        return new SideSummary(
                side.name(),
                side.path().toString(),
                side.result().plan(),
                side.result().startedAt(),
                side.result().tickmark(),
                repeats);
    }

    private void noteProcesses(final Side side) {
        final Optional<JsonNode> plan = Differences.plan(side);
        if (plan.isEmpty() && side.folder().isPresent()) {
            notes.add(
                    "The plan of %s does not exist or cannot be read: its settings are not compared."
                            .formatted(side.name()));
        }
        if (plan.isEmpty() || !plan.get().path("freshProcesses").asBoolean(false)) {
            notes.add(
                    ("The repeats of %s shared their processes: what differs from start to start is not in its intervals;"
                                    + " measure with --fresh, or interleaved with tickmark run --vs.")
                            .formatted(side.name()));
        }
    }

    private void noteClocks(final Side side) {
        final long boundNs =
                SideRow.of(side).stream().mapToLong(SideRow::clockBoundNs).max().orElse(0);
        if (boundNs > 0) {
            notes.add(
                    String.format(
                            Locale.ROOT,
                            "%s has one-way times between hosts whose clocks are known to %.1f us; what the bounds of both"
                                    + " runs may have made, or hidden, is too noisy to tell.",
                            side.name(),
                            boundNs / NS_PER_US));
        }
    }

    private ComparedRow judged(final RawRow row, final double error) {
        final TrialResult any = row.pair().first().any();
        final NoiseGuard guard = new NoiseGuard(row.pair());
        return new ComparedRow(
                row.side().name(),
                any.test(),
                any.workload(),
                any.channel(),
                row.pair().other().key().channel(),
                any.step(),
                any.label(),
                any.payloadBytes(),
                any.offeredRatePerSecond(),
                RowDifferences.of(row.pair()),
                row.broken().sentences(),
                row.broken().criteria(),
                row.notCompared(),
                row.figures().stream().map(figure -> judged(figure, guard, error)).toList());
    }

    private ComparedFigure judged(final Raw raw, final NoiseGuard guard, final double error) {
        final boolean moreIsBetter = raw.name().equals(Samples.RATE);
        final Contrast contrast = raw.contrast();
        final Estimate first = estimate(raw.first(), error);
        final Estimate other = estimate(raw.other(), error);
        final double half = contrast.isKnown() ? contrast.halfWidth(error) : 0;
        final double low = Math.expm1(contrast.delta() - half);
        final double high = Math.expm1(contrast.delta() + half);
        final double clockPart = moreIsBetter ? 0 : guard.clockBoundNs(raw.name()) / first.value();
        Outcome outcome = outcome(contrast, low, high, moreIsBetter);
        Doubt doubt = Doubt.NONE;
        String reason = "";
        if (!contrast.isKnown()) {
            doubt = Doubt.ONE_REPEAT;
            reason = "One repeat cannot say how much repeats differ.";
        } else if (outcome == Outcome.TOO_NOISY) {
            doubt = Doubt.INTERVAL;
            reason = "The interval contains both no difference and one worth reporting.";
        } else if (outcome != outcome(contrast, low - clockPart, high + clockPart, moreIsBetter)) {
            outcome = Outcome.TOO_NOISY;
            doubt = Doubt.CLOCKS;
            reason = guard.clocks();
        } else if (!moreIsBetter && outcome != Outcome.NO_DIFFERENCE) {
            final Optional<String> noise =
                    guard.doubt(figure(raw.name()), first.value(), other.value());
            if (noise.isPresent()) {
                outcome = Outcome.TOO_NOISY;
                doubt = Doubt.NOISE_FLOOR;
                reason = noise.get();
            }
        }
        return new ComparedFigure(
                raw.name(),
                moreIsBetter,
                first,
                other,
                Math.expm1(contrast.delta()),
                low,
                high,
                clockPart,
                contrast.pValue(),
                outcome,
                doubt,
                reason);
    }

    private static LatencyFigure figure(final String name) {
        return LatencyFigure.ALL.stream()
                .filter(each -> name.endsWith("." + each.name()))
                .findFirst()
                .orElseThrow();
    }

    private Outcome outcome(
            final Contrast contrast,
            final double low,
            final double high,
            final boolean moreIsBetter) {
        if (!contrast.isKnown()) {
            return Outcome.TOO_NOISY;
        }
        // as much faster as slower: 1 / 1.03 is no more than 1.03
        final double least = -settings.minEffect() / (1 + settings.minEffect());
        if (low >= least && high <= settings.minEffect()) {
            return Outcome.NO_DIFFERENCE;
        }
        if (low <= 0 && high >= 0) {
            return Outcome.TOO_NOISY;
        }
        return low > 0 == moreIsBetter ? Outcome.BETTER : Outcome.WORSE;
    }

    private static Estimate estimate(final Sample sample, final double error) {
        final Contrast own = Contrast.ofOne(sample);
        final double half = own.isKnown() ? own.halfWidth(error) : 0;
        return new Estimate(
                Math.exp(own.delta()),
                Math.exp(own.delta() - half),
                Math.exp(own.delta() + half),
                Arrays.stream(sample.logs()).map(Math::exp).boxed().toList());
    }

    /**
     * When a difference may be due to the machines and not to what was measured. Either the noise
     * floor of the slower run took a larger part of the time than the percentile excludes, clearly
     * more than that of the faster run, and its longest gap is as long as the difference. Noise
     * common to both runs affects the repeats of both, and is already included in the intervals. Or
     * the clocks of hosts may have made one-way times differ, or look the same.
     */
    private static final class NoiseGuard {
        /** How much more than the other's it must be. */
        private static final double CLEARLY = 1.5;

        private static final double PERCENT = 100;
        private static final double NS_PER_US = 1e3;

        private final RowPairs.Pair pair;

        NoiseGuard(final RowPairs.Pair pair) {
            this.pair = pair;
        }

        /**
         * By how much the clocks may make a figure of two one-way times differ, or look the same; 0
         * for other figures. Each repeat may have its own error or all of them the same: it is not
         * included in the intervals.
         */
        double clockBoundNs(final String figure) {
            return pair.first().isOneWay(figure.substring(0, figure.lastIndexOf('.')))
                    ? (double) pair.first().clockBoundNs() + pair.other().clockBoundNs()
                    : 0;
        }

        /** Why a figure may be due to the clocks. */
        String clocks() {
            return String.format(
                    Locale.ROOT,
                    "The clocks of the hosts are known to %.1f us and %.1f us, which may have made the difference, or"
                            + " hidden one.",
                    pair.first().clockBoundNs() / NS_PER_US,
                    pair.other().clockBoundNs() / NS_PER_US);
        }

        /** Why a difference of a latency may be noise; empty where it cannot. */
        Optional<String> doubt(
                final LatencyFigure figure, final double firstNs, final double otherNs) {
            final boolean otherIsSlower = otherNs > firstNs;
            final SideRow slower = otherIsSlower ? pair.other() : pair.first();
            final SideRow faster = otherIsSlower ? pair.first() : pair.other();
            final double stolen = slower.stolenPart();
            final double gapNs = slower.longestGapNs();
            final boolean isNoisier = stolen > CLEARLY * faster.stolenPart();
            final boolean canExplain =
                    figure.isMean()
                            // a gap adds half of its length to what it hits, on average
                            ? Math.abs(otherNs - firstNs) <= stolen * gapNs / 2
                            : stolen >= 1 - figure.part() && Math.abs(otherNs - firstNs) <= gapNs;
            return isNoisier && canExplain
                    ? Optional.of(
                            ("The slower run's machine lost %.2g %% of its time in gaps up to %.0f us, which may explain all of"
                                            + " it.")
                                    .formatted(stolen * PERCENT, gapNs / NS_PER_US))
                    : Optional.empty();
        }
    }

    /** What two compared rows do not share, apart from what is compared. */
    static final class RowDifferences {
        private RowDifferences() {}

        static List<String> of(final RowPairs.Pair pair) {
            if (pair.other().isVoid()) {
                return List.of(); // there is nothing that could differ
            }
            final TrialResult first = pair.first().any();
            final TrialResult other = pair.other().any();
            final List<String> differences = new ArrayList<>();
            add(differences, "test", first.test(), other.test());
            add(differences, "channel", first.channel(), other.channel());
            add(
                    differences,
                    "payloadBytes",
                    String.valueOf(first.payloadBytes()),
                    String.valueOf(other.payloadBytes()));
            add(
                    differences,
                    "offeredRatePerSecond",
                    number(first.offeredRatePerSecond()),
                    number(other.offeredRatePerSecond()));
            add(differences, "labels", labels(pair.first()), labels(pair.other()));
            final double lostFirst = lostPart(pair.first());
            final double lostOther = lostPart(pair.other());
            if (lostFirst != lostOther) {
                differences.add(
                        String.format(
                                Locale.ROOT,
                                "lost %.3g %% against %.3g %%",
                                100 * lostFirst,
                                100 * lostOther));
            }
            return differences;
        }

        private static void add(
                final List<String> differences,
                final String what,
                final String first,
                final String other) {
            if (!first.equals(other)) {
                differences.add(
                        "%s %s against %s"
                                .formatted(
                                        what,
                                        first.isEmpty() ? "none" : first,
                                        other.isEmpty() ? "none" : other));
            }
        }

        private static String number(final double value) {
            return String.format(Locale.ROOT, "%.0f", value);
        }

        private static String labels(final SideRow row) {
            final Set<String> labels =
                    row.repeats().stream()
                            .flatMap(trial -> trial.labels().stream())
                            .collect(Collectors.toCollection(TreeSet::new));
            return String.join(" ", labels);
        }

        private static double lostPart(final SideRow row) {
            final double expected = sum(row, TrialResult::expected);
            return expected > 0
                    ? sum(row, trial -> Math.max(trial.lostOnTheWay(), trial.notEchoed()))
                            / expected
                    : 0;
        }

        private static double sum(final SideRow row, final ToDoubleFunction<TrialResult> count) {
            return row.repeats().stream().mapToDouble(count).sum();
        }
    }

    /** What the sides measured of a row, and could not be compared. */
    private record Lacking(Side first, Side other, RowPairs.Pair pair) {
        /** Other than these figures. */
        List<NotCompared> of(
                final List<String> compared,
                final boolean undisturbed,
                final Optional<String> whyNotUndisturbed) {
            final Set<String> latencies =
                    compared.stream()
                            .filter(name -> name.indexOf('.') >= 0)
                            .map(name -> name.substring(0, name.indexOf('.')))
                            .collect(Collectors.toSet());
            final Set<String> measured =
                    all().flatMap(trial -> trial.latencies().keySet().stream())
                            .collect(Collectors.toCollection(TreeSet::new));
            final List<NotCompared> lacking = new ArrayList<>();
            if (!undisturbed) {
                measured.removeAll(latencies);
                measured.forEach(name ->
                        lacking.add(
                                new NotCompared(
                                        name, why(trial -> trial.latencies().containsKey(name)))));
            } else if (!measured.isEmpty() && latencies.isEmpty()) {
                lacking.add(
                        new NotCompared(
                                Samples.UNDISTURBED, whyNotUndisturbed.orElse(NO_MESSAGES)));
            }
            if (!compared.contains(Samples.RATE)
                    && all().anyMatch(trial -> trial.arrivedRatePerSecond() > 0)) {
                lacking.add(
                        new NotCompared(
                                Samples.RATE, why(trial -> trial.arrivedRatePerSecond() > 0)));
            }
            return lacking;
        }

        private Stream<TrialResult> all() {
            return Stream.concat(pair.first().repeats().stream(), pair.other().repeats().stream());
        }

        private String why(final Predicate<TrialResult> has) {
            final String why =
                    Stream.of(
                                    lacks(first, pair.first().repeats(), has),
                                    lacks(other, pair.other().repeats(), has))
                            .filter(clause -> !clause.isEmpty())
                            .collect(Collectors.joining(", "));
            return why.isEmpty() ? NO_MESSAGES : why;
        }

        private static String lacks(
                final Side side,
                final List<TrialResult> repeats,
                final Predicate<TrialResult> has) {
            final long lacking = repeats.stream().filter(has.negate()).count();
            return lacking == 0
                    ? ""
                    : lacking == repeats.size()
                            ? side.name() + " has none"
                            : "%s has it in %d of %d repeats"
                                    .formatted(
                                            side.name(), repeats.size() - lacking, repeats.size());
        }
    }

    /**
     * Controls the false discovery rate: many figures are compared at once, so some differ by
     * chance. Benjamini and Hochberg, "Controlling the False Discovery Rate", Journal of the Royal
     * Statistical Society B 57, 1995: of the reported differences, at most a given part is due to
     * chance; where nothing differs at all, that is the probability of reporting any difference. It
     * holds for dependent figures, as percentiles of one run do (Benjamini and Yekutieli, Annals of
     * Statistics 29, 2001). Intervals of that level agree with it (Benjamini and Yekutieli, "False
     * Discovery Rate-Adjusted Multiple Confidence Intervals", Journal of the American Statistical
     * Association 100, 2005).
     */
    static final class Discoveries {
        private Discoveries() {}

        /**
         * The probability of error to allow each figure.
         *
         * @param pValues of all figures compared
         * @param rate false discovery rate
         * @return the largest p-value that is called different is below it; the interval of each
         *     figure with this error leaves out zero exactly where it is called different
         */
        static double errorProbability(final double[] pValues, final double rate) {
            final double[] sorted = pValues.clone();
            Arrays.sort(sorted);
            int found = 0;
            for (int i = 0; i < sorted.length; i++) {
                if (sorted[i] <= rate * (i + 1) / sorted.length) {
                    found = i + 1;
                }
            }
            return sorted.length == 0 ? rate : rate * Math.max(1, found) / sorted.length;
        }
    }
}
