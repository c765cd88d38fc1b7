package io.tickmark.report.compare;

import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.BrokenCriterion;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Comparison.Difference;
import io.tickmark.lab.compare.Comparison.Doubt;
import io.tickmark.lab.compare.Comparison.Estimate;
import io.tickmark.lab.compare.Comparison.NotCompared;
import io.tickmark.lab.compare.Comparison.RepeatCounts;
import io.tickmark.lab.compare.Comparison.SettingSheet;
import io.tickmark.lab.compare.Comparison.SideSummary;
import io.tickmark.lab.compare.Outcome;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Comparisons with a figure of each outcome and one broken criterion. */
final class ComparedRuns {
    /** Figures of a row of {@link #of}. */
    static final int FIGURES = 5;

    private ComparedRuns() {}

    static ComparedFigure figure(final String name, final double change, final Outcome outcome) {
        return new ComparedFigure(
                name,
                !name.contains("."),
                new Estimate(10_000, 9_900, 10_100, List.of(9_900.0, 10_100.0)),
                new Estimate(10_000 * (1 + change), 9_900, 10_100, List.of(10_000.0, 10_000.0)),
                change,
                change - 0.01,
                change + 0.01,
                0,
                0.5,
                outcome,
                outcome == Outcome.TOO_NOISY ? Doubt.NOISE_FLOOR : Doubt.NONE,
                outcome == Outcome.TOO_NOISY ? "The slower run's machine lost time." : "");
    }

    static ComparedFigure figure(
            final String name,
            final double change,
            final double low,
            final double high,
            final Outcome outcome) {
        final ComparedFigure any = figure(name, change, outcome);
        return new ComparedFigure(
                name,
                any.moreIsBetter(),
                any.first(),
                any.other(),
                change,
                low,
                high,
                0,
                any.pValue(),
                outcome,
                any.doubt(),
                any.reason());
    }

    /** A figure of which the clocks of hosts may have made so large a part. */
    static ComparedFigure byClocks(final String name, final double clockPart) {
        final ComparedFigure any = figure(name, 0, Outcome.NO_DIFFERENCE);
        return new ComparedFigure(
                name,
                any.moreIsBetter(),
                any.first(),
                any.other(),
                any.effect(),
                any.low(),
                any.high(),
                clockPart,
                any.pValue(),
                Outcome.TOO_NOISY,
                Doubt.CLOCKS,
                "The clocks of the hosts are known to 3.0 us and 2.0 us.");
    }

    /** Two runs of one channel with these figures, in folders of their own. */
    static Comparison with(final ComparedFigure... figures) {
        return with(List.of(), figures);
    }

    /** Two runs of one channel with the rate alone, as the other has no latency. */
    static Comparison withoutLatency(final ComparedFigure rate) {
        return with(List.of(new NotCompared("responseNs", "B has none")), rate);
    }

    private static Comparison with(
            final List<NotCompared> notCompared, final ComparedFigure... figures) {
        return two(
                List.of(
                        new ComparedRow(
                                "B",
                                "t",
                                "latency",
                                "shm:",
                                "shm:",
                                0,
                                "",
                                64,
                                1000,
                                List.of(),
                                List.of(),
                                List.of(),
                                notCompared,
                                List.of(figures))),
                List.of());
    }

    /** Two runs, of which the other lost as many messages of 1,000 in each of three repeats. */
    static Comparison losing(final long lost, final ComparedFigure... figures) {
        final ComparedRow row = with(figures).rows().getFirst();
        return two(
                List.of(
                        new ComparedRow(
                                row.side(),
                                row.test(),
                                row.workload(),
                                row.channel(),
                                row.otherChannel(),
                                row.step(),
                                row.label(),
                                row.payloadBytes(),
                                row.offeredRatePerSecond(),
                                List.of(),
                                List.of("Lost %d of 1,000.".formatted(lost)),
                                List.of(
                                        new BrokenCriterion(
                                                "Lost # of #.",
                                                true,
                                                new RepeatCounts(1_000, List.of(0L, 0L, 0L)),
                                                new RepeatCounts(
                                                        1_000, List.of(lost, lost, lost)))),
                                List.of(),
                                row.figures())),
                List.of());
    }

    /** The same runs, of which the other lacks rows of the first. */
    static Comparison missing(final Comparison all, final String... missing) {
        return new Comparison(
                all.schema(),
                all.tickmark(),
                all.minEffect(),
                all.errorRate(),
                all.errorProbability(),
                all.sides(),
                all.rows(),
                List.of(missing),
                all.settings(),
                all.differences(),
                all.notes(),
                all.gate());
    }

    /** Two runs that differ in these. */
    static Comparison differing(final String... whats) {
        return two(
                List.of(),
                Stream.of(whats).map(what -> new Difference("B", what, "1", "2")).toList());
    }

    /** Two runs without a row that can be compared, and why. */
    static Comparison nothing(final String... notes) {
        final Comparison two = two(List.of(), List.of());
        return new Comparison(
                two.schema(),
                two.tickmark(),
                two.minEffect(),
                two.errorRate(),
                two.errorProbability(),
                two.sides(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(notes),
                null);
    }

    private static Comparison two(
            final List<ComparedRow> rows, final List<Difference> differences) {
        return new Comparison(
                Comparison.SCHEMA,
                "0.1.0",
                0.03,
                0.05,
                0.02,
                Stream.of("A", "B")
                        .map(side ->
                                new SideSummary(
                                        side,
                                        "runs/" + side.toLowerCase(Locale.ROOT),
                                        "t",
                                        "now",
                                        "0.1.0",
                                        5))
                        .toList(),
                rows,
                List.of(),
                List.of(),
                differences,
                List.of(),
                null);
    }

    /** Two runs; every name that can come from a file is the one given. */
    static Comparison of(final String name) {
        return of(name, List.of("A", name), List.of(row(name, name, figures(name))));
    }

    /** Two runs with as many rows, and as many differences, as {@link #of} has one. */
    static Comparison many(final String name, final int rows) {
        final Comparison one = of(name, List.of("A", "B"), List.of(row("B", name, figures(name))));
        return two(
                Collections.nCopies(rows, one.rows().getFirst()),
                Collections.nCopies(rows, one.differences().getFirst()));
    }

    /** The same runs with its first row as often. */
    static Comparison withRows(final Comparison one, final int rows) {
        return two(Collections.nCopies(rows, one.rows().getFirst()), List.of());
    }

    /** Two runs with so many rows, in none of which a rate or a median changed. */
    static Comparison unchanged(final int rows) {
        final ComparedRow row =
                row(
                        "B",
                        "t",
                        List.of(
                                figure("responseNs.p50", 0, Outcome.TOO_NOISY),
                                figure("ratePerSecond", 0, Outcome.NO_DIFFERENCE)));
        return two(Collections.nCopies(rows, row), List.of());
    }

    /** Three runs, of which the last has no median. */
    static Comparison ofThree(final String name) {
        final List<ComparedFigure> all = figures(name);
        return of(
                name,
                List.of("A", name, "C"),
                List.of(row(name, name, all), row("C", name, all.stream().skip(1).toList())));
    }

    /** Three runs, of which the second and the third differ by these figures from the first. */
    static Comparison ofThree(final ComparedFigure... figures) {
        final List<ComparedFigure> all = List.of(figures);
        return of("t", List.of("A", "B", "C"), List.of(row("B", "t", all), row("C", "t", all)));
    }

    /** As many runs as a matrix of engines has, with a sheet of what each promises. */
    static Comparison matrix(final int runs) {
        final List<ComparedFigure> all = figures("responseNs");
        final List<String> names = new java.util.ArrayList<>(List.of("engine-0:"));
        final List<ComparedRow> rows = new java.util.ArrayList<>();
        for (int run = 1; run < runs; run++) {
            names.add("engine-" + run + ":");
            rows.add(row("engine-" + run + ":", "t", all));
        }
        return of("t", names, rows)
                .withSettings(
                        names.stream()
                                .map(name ->
                                        new Comparison.SettingSheet(
                                                name,
                                                new java.util.TreeMap<>(
                                                        java.util.Map.of(
                                                                "acknowledged",
                                                                "by " + name,
                                                                "order",
                                                                "kept of each publisher"))))
                                .toList());
    }

    /** As many runs of a test of so many steps, of which only the last but one changed. */
    static Comparison sweep(final int runs, final int steps) {
        final List<String> names = new java.util.ArrayList<>(List.of("engine-0:"));
        final List<ComparedRow> rows = new java.util.ArrayList<>();
        for (int run = 1; run < runs; run++) {
            names.add("engine-" + run + ":");
            for (int step = 1; step <= steps; step++) {
                rows.add(
                        new ComparedRow(
                                "engine-" + run + ":",
                                "t",
                                "latency",
                                "engine-0:",
                                "engine-" + run + ":",
                                step,
                                "step " + step,
                                64,
                                1000,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                step == steps - 1
                                        ? figures("responseNs")
                                        : List.of(
                                                figure(
                                                        "responseNs.p50",
                                                        0,
                                                        Outcome.NO_DIFFERENCE))));
            }
        }
        return of("t", names, rows);
    }

    /** Three runs of one repeat each, of which no interval is known. */
    static Comparison ofSingleRounds() {
        final List<ComparedFigure> all =
                figures("responseNs").stream()
                        .map(each ->
                                new ComparedFigure(
                                        each.name(),
                                        each.moreIsBetter(),
                                        each.first(),
                                        each.other(),
                                        each.effect(),
                                        each.effect(),
                                        each.effect(),
                                        0,
                                        1,
                                        Outcome.TOO_NOISY,
                                        Doubt.ONE_REPEAT,
                                        "One repeat cannot say how much repeats differ."))
                        .toList();
        return of("t", List.of("A", "B", "C"), List.of(row("B", "t", all), row("C", "t", all)));
    }

    /** Three runs, of which the second was not measured. */
    static Comparison withOneVoid() {
        final ComparedRow measured = row("C", "t", figures("responseNs"));
        final ComparedRow lost =
                new ComparedRow(
                        "B",
                        measured.test(),
                        measured.workload(),
                        measured.channel(),
                        measured.otherChannel(),
                        measured.step(),
                        measured.label(),
                        measured.payloadBytes(),
                        measured.offeredRatePerSecond(),
                        List.of(),
                        List.of("Every repeat is void: it was lost."),
                        List.of(),
                        List.of(),
                        List.of());
        return of("t", List.of("A", "B", "C"), List.of(lost, measured));
    }

    private static List<ComparedFigure> figures(final String name) {
        return List.of(
                figure("responseNs.p50", 0.05, Outcome.WORSE),
                figure("responseNs.p99", -0.05, Outcome.BETTER),
                figure(name + ".p999", 0, Outcome.TOO_NOISY),
                figure("responseNs.mean", 3_000, Outcome.TOO_NOISY),
                figure("ratePerSecond", 0, Outcome.NO_DIFFERENCE));
    }

    private static ComparedRow row(
            final String side, final String name, final List<ComparedFigure> figures) {
        return new ComparedRow(
                side,
                name,
                "latency",
                name,
                name + "2",
                0,
                name,
                64,
                1000,
                List.of("labels none against " + name),
                List.of("Lost 1 of 2 on " + name + "."),
                List.of(),
                List.of(),
                figures);
    }

    private static Comparison of(
            final String name, final List<String> sides, final List<ComparedRow> rows) {
        return new Comparison(
                Comparison.SCHEMA,
                "0.1.0",
                0.03,
                0.05,
                0.02,
                sides.stream()
                        .map(side -> new SideSummary(side, name, name, name, "0.1.0", 5))
                        .toList(),
                rows,
                List.of(),
                sides.stream()
                        .map(side -> new SettingSheet(side, Map.of("delivery", name, name, "none")))
                        .toList(),
                Stream.of("kernel.release", name)
                        .map(what -> new Difference(sides.getLast(), what, name, ""))
                        .toList(),
                List.of(name + " is in A alone."),
                null);
    }
}
