package io.tickmark.lab.compare;

import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Whether a change may pass a build: what got worse, what this machine could have detected, and
 * whether that is enough.
 *
 * <p>The first run is measured twice, both times in turn with the other one. Differences between
 * its two measurements are due to the machine, and do not count. A headline figure whose interval
 * does not exclude a degradation that has to be detected is undecided: a machine that cannot detect
 * it must not pass the build (a test of non-inferiority with that change as its margin).
 *
 * @param mustSee degradation that has to be detected, as a part
 * @param tookNs how long all runs took together
 * @param measured whether every run was measured to its end; otherwise the build cannot pass
 * @param figures the headline figures: of each row its rate, and median and 99th percentile of the
 *     latency by which it is judged
 * @param worse figures and criteria whose degradation is larger than the difference between the two
 *     measurements of the first run
 * @param verdict on the change
 */
public record Gate(
        double mustSee,
        long tookNs,
        boolean measured,
        List<GateFigure> figures,
        int worse,
        GateVerdict verdict) {
    private static final Set<String> JUDGED_FIGURES = Set.of("p50", "p99");
    private static final List<String> JUDGING_LATENCIES = List.of("responseNs", "roundTripNs");

    /** Copies the list. */
    public Gate {
        figures = List.copyOf(figures);
    }

    /** The verdict on the build. */
    public enum GateVerdict {
        /** Nothing is worse, and it would have been detected. */
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
     * A headline figure.
     *
     * @param row that has it, as an index of {@link Comparison#rows()}
     * @param name as in {@code result.json}
     * @param effect relative difference of the other run to the first
     * @param againstItself the same for the second measurement of the first run; empty where it has
     *     no such figure
     * @param tells smallest change that an interval of this width distinguishes from none, as a
     *     part: half of it as a ratio; empty where no interval is known
     * @param worstCase largest degradation that the interval does not exclude, as a part; empty
     *     likewise
     * @param decided whether that is at most what has to be detected, or the figure is worse
     */
    public record GateFigure(
            int row,
            String name,
            double effect,
            OptionalDouble againstItself,
            OptionalDouble tells,
            OptionalDouble worstCase,
            boolean decided) {}

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
        int worse = 0;
        for (int at = 0; at < change.rows().size(); at++) {
            final ComparedRow row = change.rows().get(at);
            worse += row.broken().size();
            final Optional<ComparedRow> same = same(row, itself);
            for (final ComparedFigure figure : row.figures()) {
                final OptionalDouble againstItself =
                        same.flatMap(found -> figure(found, figure.name()))
                                .map(found -> OptionalDouble.of(found.effect()))
                                .orElse(OptionalDouble.empty());
                final boolean isWorse =
                        figure.outcome() == Outcome.WORSE
                                && Math.abs(figure.effect()) > Math.abs(againstItself.orElse(0));
                if (isWorse) {
                    worse++;
                }
                if (isHeadline(row, figure.name())) {
                    figures.add(judged(at, figure, againstItself, isWorse, mustSee));
                }
            }
        }
        final boolean isDecided =
                measured && !figures.isEmpty() && figures.stream().allMatch(GateFigure::decided);
        return new Gate(
                mustSee,
                tookNs,
                measured,
                figures,
                worse,
                worse > 0
                        ? GateVerdict.WORSE
                        : isDecided ? GateVerdict.PASSED : GateVerdict.UNDECIDED);
    }

    private static GateFigure judged(
            final int row,
            final ComparedFigure figure,
            final OptionalDouble againstItself,
            final boolean isWorse,
            final double mustSee) {
        if (figure.low() >= figure.high()) {
            return new GateFigure(
                    row,
                    figure.name(),
                    figure.effect(),
                    againstItself,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    isWorse);
        }
        final double worstCase = figure.moreIsBetter() ? -figure.low() : figure.high();
        return new GateFigure(
                row,
                figure.name(),
                figure.effect(),
                againstItself,
                OptionalDouble.of(Math.sqrt((1 + figure.high()) / (1 + figure.low())) - 1),
                OptionalDouble.of(worstCase),
                isWorse || worstCase <= mustSee);
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

    /**
     * The rate, and median and 99th percentile of the latency that decides, or of every latency.
     */
    private static boolean isHeadline(final ComparedRow row, final String name) {
        final int dot = name.indexOf('.');
        if (dot < 0) {
            return true;
        }
        final Optional<String> judging =
                JUDGING_LATENCIES.stream()
                        .filter(latency ->
                                row.figures().stream()
                                        .anyMatch(
                                                figure -> figure.name().startsWith(latency + ".")))
                        .findFirst();
        return JUDGED_FIGURES.contains(name.substring(dot + 1))
                && judging.filter(latency -> !name.startsWith(latency + ".")).isEmpty();
    }
}
