package io.tickmark.lab.compare;

import io.tickmark.lab.compare.Comparison.BrokenCriterion;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Comparison.NotCompared;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether a change may pass a build: what got worse, what this machine could have detected, and
 * whether that is enough.
 *
 * <p>The first run is measured twice, both times in turn with the other one. What its two
 * measurements may differ by is due to the machine: a change that is not larger does not count as
 * worse, nor does a criterion that is not broken clearly more than by both of them; without that
 * second measurement nothing is worse, only undecided. Where the interval of the first run against
 * itself excludes 0, intervals do not cover what this machine changes between two measurements:
 * that much is added to what the other run may be worse by. A headline figure of which a
 * degradation that has to be detected is then not excluded is undecided, and so is one that a run
 * measured but that could not be compared, for whatever reason, or not by enough messages, and
 * every row that the other run lacks: a machine that cannot detect it must not pass the build (a
 * test of non-inferiority with that change as its margin).
 *
 * @param mustSee degradation that has to be detected, as a part
 * @param tookNs how long all runs took together
 * @param measured whether every run was measured to its end; otherwise the build cannot pass
 * @param figures the headline figures: of each row its rate, and median and 99th percentile of the
 *     latency by which it is judged
 * @param worse criteria that are broken, and figures whose degradation is larger than what the two
 *     measurements of the first run may differ by
 * @param withinItself figures of any kind that are worse, but by no more than that
 * @param verdict on the change
 */
public record Gate(
        double mustSee,
        long tookNs,
        boolean measured,
        List<GateFigure> figures,
        int worse,
        List<FigureOfRow> withinItself,
        GateVerdict verdict) {
    private static final List<String> JUDGED_FIGURES = List.of("p50", "p99");
    private static final List<String> JUDGING_LATENCIES = List.of("responseNs", "roundTripNs");
    private static final String TOO_FEW_MESSAGES = "for lack of messages";

    /** Copies the lists. */
    public Gate {
        figures = List.copyOf(figures);
        withinItself = List.copyOf(withinItself);
    }

    /** The verdict on the build. */
    public enum GateVerdict {
        /**
         * Nothing is worse by more than two measurements of the first run may differ, and a
         * degradation that has to be detected would not have passed.
         */
        PASSED,
        /** Something is worse. */
        WORSE,
        /**
         * Nothing is shown to be worse, but this machine could not have detected it, or one side
         * was not measured to the end.
         */
        UNDECIDED
    }

    /**
     * Which figure of which row.
     *
     * @param row as an index of {@link Comparison#rows()}
     * @param name as in {@code result.json}
     */
    public record FigureOfRow(int row, String name) {}

    /**
     * A headline figure.
     *
     * @param row that has it, as an index of {@link Comparison#rows()}
     * @param name as in {@code result.json}
     * @param effect relative difference of the other run to the first; empty where it is not known
     * @param againstItself the same for the second measurement of the first run; empty where it has
     *     no such figure
     * @param tells smallest change that this machine can tell from none, as a part: the largest one
     *     by which the first run may differ from itself, the farther end of that interval and what
     *     the clocks of hosts may add; empty where it is not known
     * @param worstCase largest degradation that is not excluded by the interval of the effect, the
     *     clocks of hosts and what the first run is shown to differ from itself, as a part; empty
     *     where there is no interval
     * @param decided whether that is at most what has to be detected, or the figure is worse
     * @param whyUnknown why the effect is not known, {@code for lack of messages}; empty where it
     *     is
     */
    public record GateFigure(
            int row,
            String name,
            OptionalDouble effect,
            OptionalDouble againstItself,
            OptionalDouble tells,
            OptionalDouble worstCase,
            boolean decided,
            String whyUnknown) {}

    /**
     * Judges.
     *
     * @param change the other run against the first
     * @param itself the first run, measured again, against the first
     * @param mustSee degradation that has to be detected, as a part
     * @param tookNs how long all runs took together
     * @param measured whether every run was measured to its end
     * @return the judgement
     */
    public static Gate of(
            final Comparison change,
            final Comparison itself,
            final double mustSee,
            final long tookNs,
            final boolean measured) {
        final List<GateFigure> figures = new ArrayList<>();
        final List<FigureOfRow> withinItself = new ArrayList<>();
        int worse = 0;
        boolean isDoubted = false;
        for (int at = 0; at < change.rows().size(); at++) {
            final ComparedRow row = change.rows().get(at);
            final Optional<ComparedRow> same = same(row, itself);
            for (final BrokenCriterion broken : row.criteria()) {
                if (broken.worse()) {
                    final boolean isClear = isClearlyMore(broken, same);
                    worse += isClear ? 1 : 0;
                    isDoubted |= !isClear;
                }
            }
            for (final ComparedFigure figure : row.figures()) {
                final Optional<ComparedFigure> itsOwn =
                        same.flatMap(found -> figure(found, figure.name()));
                final boolean seemsWorse = figure.outcome() == Outcome.WORSE;
                final boolean isWorse =
                        seemsWorse
                                && itsOwn.isPresent()
                                && size(figure.effect()) > farthest(itsOwn.get());
                if (isWorse) {
                    worse++;
                } else if (seemsWorse && itsOwn.isPresent()) {
                    withinItself.add(new FigureOfRow(at, figure.name()));
                }
                isDoubted |= seemsWorse && itsOwn.isEmpty();
                if (isHeadline(row, figure.name())) {
                    figures.add(judged(at, figure, itsOwn, isWorse, mustSee));
                }
            }
            figures.addAll(missing(at, row));
        }
        final boolean isDecided =
                measured
                        && !isDoubted
                        && change.missing().isEmpty()
                        && !figures.isEmpty()
                        && figures.stream().allMatch(GateFigure::decided);
        return new Gate(
                mustSee,
                tookNs,
                measured,
                figures,
                worse,
                withinItself,
                worse > 0
                        ? GateVerdict.WORSE
                        : isDecided ? GateVerdict.PASSED : GateVerdict.UNDECIDED);
    }

    /** Than in both measurements of the first run. */
    private static boolean isClearlyMore(
            final BrokenCriterion broken, final Optional<ComparedRow> same) {
        return same.stream()
                .flatMap(row -> row.criteria().stream())
                .filter(itsOwn -> itsOwn.criterion().equals(broken.criterion()))
                .allMatch(itsOwn ->
                        BrokenCriteria.isClearlyMore(
                                broken.first().and(itsOwn.other()), broken.other()));
    }

    private static GateFigure judged(
            final int row,
            final ComparedFigure figure,
            final Optional<ComparedFigure> itsOwn,
            final boolean isWorse,
            final double mustSee) {
        final OptionalDouble worstCase =
                hasInterval(figure)
                        ? OptionalDouble.of(
                                worstCase(figure, itsOwn.map(Gate::nearest).orElse(0.0)))
                        : OptionalDouble.empty();
        final OptionalDouble tells =
                itsOwn.filter(Gate::hasInterval)
                        .map(own -> OptionalDouble.of(farthest(own)))
                        .orElse(OptionalDouble.empty());
        return new GateFigure(
                row,
                figure.name(),
                OptionalDouble.of(figure.effect()),
                itsOwn.map(own -> OptionalDouble.of(own.effect())).orElse(OptionalDouble.empty()),
                tells,
                worstCase,
                isWorse
                        || tells.isPresent()
                                && worstCase.isPresent()
                                && worstCase.getAsDouble() <= mustSee,
                "");
    }

    private static GateFigure unknown(final int row, final String name, final String why) {
        return new GateFigure(
                row,
                name,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                false,
                why);
    }

    private static boolean hasInterval(final ComparedFigure figure) {
        return figure.low() < figure.high();
    }

    /**
     * The largest degradation against either measurement of the first run.
     *
     * @param figure of the other run
     * @param shift by which the first run is shown to differ from itself, as a part
     */
    private static double worstCase(final ComparedFigure figure, final double shift) {
        return figure.moreIsBetter()
                ? 1 - (1 + figure.low() - figure.clockPart()) / (1 + shift)
                : (1 + figure.high() + figure.clockPart()) * (1 + shift) - 1;
    }

    /** The smallest change, in either direction, that interval and clocks leave; mostly none. */
    private static double nearest(final ComparedFigure figure) {
        final boolean isNoneExcluded = figure.low() > 0 || figure.high() < 0;
        return isNoneExcluded
                ? Math.max(
                        0, Math.min(size(figure.low()), size(figure.high())) - figure.clockPart())
                : 0;
    }

    /** The largest change, in either direction, that interval and clocks do not exclude. */
    private static double farthest(final ComparedFigure figure) {
        return Math.max(size(figure.effect()), Math.max(size(figure.low()), size(figure.high())))
                + figure.clockPart();
    }

    /** As much faster as slower: half the time is as far from it as twice the time. */
    private static double size(final double effect) {
        return effect < 0 ? 1 / (1 + effect) - 1 : effect;
    }

    private static Optional<ComparedRow> same(final ComparedRow row, final Comparison itself) {
        return itself.rows().stream()
                .filter(each ->
                        each.test().equals(row.test())
                                && each.channel().equals(row.channel())
                                && each.step() == row.step())
                .findFirst();
    }

    private static Optional<ComparedFigure> figure(final ComparedRow row, final String name) {
        return row.figures().stream().filter(figure -> figure.name().equals(name)).findFirst();
    }

    /** The rate, and median and 99th percentile of {@link #judging}. */
    private static boolean isHeadline(final ComparedRow row, final String name) {
        final int dot = name.indexOf('.');
        return dot < 0
                || JUDGED_FIGURES.contains(name.substring(dot + 1))
                        && judging(row).contains(latency(name));
    }

    /** Headline figures of what a run measured that the row does not have, and why. */
    private static List<GateFigure> missing(final int at, final ComparedRow row) {
        final Map<String, String> why =
                row.notCompared().stream()
                        .collect(
                                Collectors.toMap(
                                        NotCompared::name, each -> "because " + each.reason()));
        return Stream.concat(
                        why.containsKey(Samples.RATE) ? Stream.of(Samples.RATE) : Stream.empty(),
                        judging(row).stream()
                                .flatMap(latency ->
                                        JUDGED_FIGURES.stream().map(part -> latency + "." + part)))
                .filter(name -> figure(row, name).isEmpty())
                .map(name -> unknown(at, name, why.getOrDefault(latency(name), TOO_FEW_MESSAGES)))
                .toList();
    }

    /** The latency that decides, or all of them, also where they could not be compared. */
    private static List<String> judging(final ComparedRow row) {
        final List<String> all =
                Stream.concat(
                                row.figures().stream()
                                        .map(ComparedFigure::name)
                                        .filter(name -> name.indexOf('.') >= 0),
                                row.notCompared().stream()
                                        .map(NotCompared::name)
                                        .filter(name -> !name.equals(Samples.RATE)))
                        .map(Gate::latency)
                        .distinct()
                        .toList();
        return JUDGING_LATENCIES.stream()
                .filter(all::contains)
                .findFirst()
                .map(List::of)
                .orElse(all);
    }

    /** Without the part of a figure's name that says which percentile it is. */
    private static String latency(final String name) {
        return name.indexOf('.') < 0 ? name : name.substring(0, name.indexOf('.'));
    }
}
