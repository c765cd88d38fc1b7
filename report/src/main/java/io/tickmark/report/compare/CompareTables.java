package io.tickmark.report.compare;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Comparison.Difference;
import io.tickmark.lab.compare.Comparison.SideSummary;
import io.tickmark.lab.compare.Gate;
import io.tickmark.lab.compare.Gate.GateVerdict;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.LatencyTitle;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A comparison as plain text. Immutable, any thread. */
public final class CompareTables {
    /** More are in the page. */
    private static final int MOST_DIFFERENCES = 20;

    /** More libraries than these are counted: two builds differ in dozens. */
    private static final int MOST_LIBRARIES = 3;

    private static final String LIBRARY = "libraries.";

    private static final int LONGEST_VALUE = 60;

    /** Beside a key column, which takes two fifths of a line at most, and the gap after it. */
    private static final int FIFTHS_FOR_VALUES = 3;

    private final int width;
    private final Ink ink;

    /**
     * Tables for a terminal or a file.
     *
     * @param width of a line
     * @param colour whether escape sequences may be used
     */
    public CompareTables(final int width, final boolean colour) {
        this.width = width;
        this.ink = colour ? Ink.ANSI : Ink.PLAIN;
    }

    /**
     * The whole comparison.
     *
     * @param comparison to show
     * @return lines
     */
    public String render(final Comparison comparison) {
        final List<String> lines = new ArrayList<>();
        final Gate gate = comparison.gate();
        if (gate != null) {
            paragraph(lines, CompareWords.resolution(comparison, gate, Figures.ASCII));
            lines.add("");
        }
        sides(lines, comparison.sides());
        lines.add("");
        if (comparison.sides().size() > 2) {
            RatioTable.of(comparison)
                    .forEach((place, table) -> {
                        heading(lines, place);
                        lines.addAll(table.lines(width, ink));
                        lines.add("");
                    });
            broken(lines, comparison);
        } else {
            final String first = comparison.sides().getFirst().name();
            comparison.rows().forEach(row -> row(lines, first, row));
        }
        sheet(lines, comparison);
        differences(lines, comparison);
        comparison.notes().forEach(note -> item(lines, note));
        if (!comparison.notes().isEmpty()) {
            lines.add("");
        }
        paragraph(
                lines,
                CompareWords.meaning(comparison)
                        + (comparison.sides().size() > 2 ? " A question mark: too noisy." : ""));
        lines.add("");
        outcome(lines, comparison);
        return String.join("\n", lines) + "\n";
    }

    /** A line for each run, or one for all where one command made them. */
    private void sides(final List<String> lines, final List<SideSummary> sides) {
        final SideSummary first = sides.getFirst();
        final String together = folder(first.path());
        if (sides.size() > 2
                && !together.isEmpty()
                && sides.stream()
                        .allMatch(side ->
                                together.equals(folder(side.path()))
                                        && side.plan().equals(first.plan()))) {
            final IntSummaryStatistics repeats =
                    sides.stream().mapToInt(SideSummary::repeats).summaryStatistics();
            paragraph(
                    lines,
                    "%d runs of plan %s, %s%s each, from %s: %s"
                            .formatted(
                                    sides.size(),
                                    first.plan(),
                                    repeats.getMin() < repeats.getMax()
                                            ? repeats.getMin() + " to "
                                            : "",
                                    Figures.plural(repeats.getMax(), "repeat"),
                                    first.startedAt(),
                                    together));
            return;
        }
        for (final SideSummary side : sides) {
            paragraph(
                    lines,
                    "%s: %s, plan %s, %s, %s"
                            .formatted(
                                    side.name(),
                                    side.path(),
                                    side.plan(),
                                    side.startedAt(),
                                    Figures.plural(side.repeats(), "repeat")));
        }
    }

    /** What is before the last slash; no path of the system's, as results come from any. */
    private static String folder(final String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /**
     * Only the outcome, after what the machine can see where a build waits for it.
     *
     * @param comparison to show
     * @return lines
     */
    public String conclusion(final Comparison comparison) {
        final List<String> lines = new ArrayList<>();
        if (comparison.gate() != null) {
            paragraph(lines, CompareWords.resolution(comparison, comparison.gate(), Figures.ASCII));
        }
        outcome(lines, comparison);
        return String.join("\n", lines) + "\n";
    }

    private void outcome(final List<String> lines, final Comparison comparison) {
        final Gate gate = comparison.gate();
        final String sentence = Printable.of(CompareWords.conclusion(comparison));
        final boolean isWorse = comparison.count(Outcome.WORSE) > 0;
        Paragraph.lines(sentence, width)
                .forEach(line -> lines.add(isWorse ? ink.bad(line) : ink.strong(line)));
        if (gate != null) {
            Paragraph.lines(Printable.of(CompareWords.judgement(comparison, gate)), width)
                    .forEach(line ->
                            lines.add(
                                    gate.verdict() == GateVerdict.PASSED
                                            ? ink.strong(line)
                                            : ink.bad(line)));
        }
    }

    private void row(final List<String> lines, final String first, final ComparedRow row) {
        heading(lines, CompareWords.place(row, Figures.ASCII));
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("figure", true),
                                new TextTable.Column(CompareWords.head(first), false),
                                new TextTable.Column(CompareWords.head(row.side()), false),
                                new TextTable.Column("change", false),
                                new TextTable.Column("interval", false),
                                new TextTable.Column("verdict", true)),
                        1);
        row.figures().forEach(figure -> table.add(cells(figure)));
        if (!row.figures().isEmpty()) {
            lines.addAll(table.lines(width, ink));
        }
        row.broken().forEach(sentence -> item(lines, "worse: " + sentence));
        row.figures().stream()
                .filter(figure -> figure.reason().startsWith("The slower run"))
                .forEach(figure ->
                        item(lines, CompareWords.figure(figure.name()) + ": " + figure.reason()));
        if (!row.differences().isEmpty()) {
            item(lines, "not the same: " + String.join("; ", row.differences()) + ".");
        }
        lines.add("");
    }

    /** For more than two runs, where each has one line of figures. */
    private void broken(final List<String> lines, final Comparison comparison) {
        final int before = lines.size();
        for (final ComparedRow row : comparison.rows()) {
            row.broken()
                    .forEach(sentence ->
                            item(
                                    lines,
                                    "%s, %s: worse: %s"
                                            .formatted(
                                                    row.side(),
                                                    CompareWords.step(row, Figures.ASCII),
                                                    sentence)));
        }
        if (lines.size() > before) {
            lines.add("");
        }
    }

    private static List<String> cells(final ComparedFigure figure) {
        return List.of(
                CompareWords.figure(figure.name()),
                CompareWords.value(figure, figure.first().value(), Figures.ASCII),
                CompareWords.value(figure, figure.other().value(), Figures.ASCII),
                CompareWords.change(figure.effect()),
                CompareWords.interval(figure),
                CompareWords.word(figure.outcome()));
    }

    /** The guarantees and settings of each run, so that a reader sees what is compared. */
    private void sheet(final List<String> lines, final Comparison comparison) {
        if (comparison.settings().isEmpty()) {
            return;
        }
        lines.add(ink.strong("What is compared"));
        final List<String> names = List.copyOf(comparison.settings().getFirst().values().keySet());
        final List<TextTable.Column> columns = new ArrayList<>();
        columns.add(new TextTable.Column("run", true));
        names.forEach(name -> columns.add(new TextTable.Column(CompareWords.head(name), true)));
        final TextTable table = new TextTable(columns, 1);
        for (final Comparison.SettingSheet sheet : comparison.settings()) {
            final List<String> cells = new ArrayList<>();
            cells.add(sheet.side());
            names.forEach(name -> cells.add(cut(sheet.values().getOrDefault(name, ""))));
            table.add(cells);
        }
        lines.addAll(table.lines(width, ink));
        lines.add("");
    }

    private void differences(final List<String> lines, final Comparison comparison) {
        final long libraries =
                comparison.differences().stream().filter(CompareTables::isLibrary).count();
        final List<Difference> all =
                comparison.differences().stream()
                        .filter(each -> libraries <= MOST_LIBRARIES || !isLibrary(each))
                        .toList();
        if (comparison.differences().isEmpty()) {
            return;
        }
        lines.add(ink.strong("Not the same"));
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("what", true),
                                new TextTable.Column(
                                        CompareWords.head(comparison.sides().getFirst().name()),
                                        true),
                                new TextTable.Column("other", true)),
                        1);
        all.stream()
                .limit(MOST_DIFFERENCES)
                .forEach(each ->
                        table.add(
                                List.of(
                                        each.what(),
                                        cut(orNone(each.first())),
                                        cut(
                                                (comparison.sides().size() > 2
                                                                ? each.side() + ": "
                                                                : "")
                                                        + orNone(each.other())))));
        if (!all.isEmpty()) {
            lines.addAll(table.lines(width, ink));
        }
        if (libraries > MOST_LIBRARIES) {
            lines.add(libraries + " libraries differ, in the page.");
        }
        if (all.size() > MOST_DIFFERENCES) {
            lines.add("and %d more, in the page.".formatted(all.size() - MOST_DIFFERENCES));
        }
        lines.add("");
    }

    private static boolean isLibrary(final Difference difference) {
        return difference.what().startsWith(LIBRARY);
    }

    private static String orNone(final String value) {
        return value.isEmpty() ? "none" : value;
    }

    /** As much of a value as fits beside the keys. */
    private String cut(final String value) {
        return CompareWords.cut(value, Math.min(LONGEST_VALUE, width * FIFTHS_FOR_VALUES / 5 - 2));
    }

    private void heading(final List<String> lines, final String place) {
        Paragraph.lines(Printable.of(place), width).forEach(line -> lines.add(ink.strong(line)));
    }

    private void paragraph(final List<String> lines, final String text) {
        lines.addAll(Paragraph.lines(Printable.of(text), width));
    }

    private void item(final List<String> lines, final String text) {
        lines.addAll(Paragraph.lines(Printable.of(text), width, "- ", "  "));
    }

    /** Several runs against the first on one row each: headline latency and rate, as ratios. */
    private static final class RatioTable {
        private static final List<String> PARTS = List.of("p50", "p99", "p999");
        private static final String RATE = "achievedRatePerSecond";

        private RatioTable() {}

        /** By test and step of the first run: a table of ratios. */
        static Map<String, TextTable> of(final Comparison comparison) {
            final Map<String, List<ComparedRow>> groups = new LinkedHashMap<>();
            for (final ComparedRow row : comparison.rows()) {
                groups.computeIfAbsent(
                                CompareWords.step(row, Figures.ASCII), place -> new ArrayList<>())
                        .add(row);
            }
            final Map<String, TextTable> tables = new LinkedHashMap<>();
            groups.forEach(
                    (place, rows) -> tables.put(place + measure(rows), table(comparison, rows)));
            return tables;
        }

        /** Which latency the percentages of the table are of. */
        private static String measure(final List<ComparedRow> rows) {
            return rows.stream()
                    .flatMap(row -> headline(row).stream())
                    .findFirst()
                    .map(name -> ": " + LatencyTitle.of(name).toLowerCase(Locale.ROOT))
                    .orElse("");
        }

        private static TextTable table(final Comparison comparison, final List<ComparedRow> rows) {
            final List<String> names = new ArrayList<>();
            rows.stream()
                    .flatMap(row -> headline(row).stream())
                    .findFirst()
                    .ifPresent(latency -> PARTS.forEach(part -> names.add(latency + "." + part)));
            names.add(RATE);
            names.removeIf(name -> rows.stream().noneMatch(row -> figure(row, name).isPresent()));
            final List<TextTable.Column> columns = new ArrayList<>();
            columns.add(new TextTable.Column("run", true));
            for (final String name : names) {
                columns.add(new TextTable.Column(CompareWords.part(name), false));
                columns.add(new TextTable.Column("ratio, interval", true));
            }
            final TextTable table = new TextTable(columns, 1);
            final List<String> base = new ArrayList<>();
            base.add(comparison.sides().getFirst().name());
            names.forEach(name -> base.addAll(first(rows, name)));
            table.add(base);
            for (final ComparedRow row : rows) {
                final List<String> cells = new ArrayList<>();
                cells.add(row.side());
                names.forEach(name -> cells.addAll(other(row, name)));
                table.add(cells);
            }
            return table;
        }

        private static Optional<String> headline(final ComparedRow row) {
            final List<String> names =
                    row.figures().stream()
                            .map(ComparedFigure::name)
                            .filter(name -> name.contains("."))
                            .map(name -> name.substring(0, name.indexOf('.')))
                            .distinct()
                            .filter(name -> !name.equals(Latencies.SEND_NS))
                            .toList();
            return List.of(Latencies.RESPONSE_NS, Latencies.ROUND_TRIP_NS).stream()
                    .filter(names::contains)
                    .findFirst()
                    .or(() -> names.stream().findFirst());
        }

        private static Optional<ComparedFigure> figure(final ComparedRow row, final String name) {
            return row.figures().stream().filter(figure -> figure.name().equals(name)).findFirst();
        }

        private static List<String> first(final List<ComparedRow> rows, final String name) {
            return rows.stream()
                    .flatMap(row -> figure(row, name).stream())
                    .findFirst()
                    .map(figure ->
                            List.of(
                                    CompareWords.value(
                                            figure, figure.first().value(), Figures.ASCII),
                                    "1"))
                    .orElse(List.of("n/a", ""));
        }

        private static List<String> other(final ComparedRow row, final String name) {
            return figure(row, name)
                    .map(figure ->
                            List.of(
                                    CompareWords.value(
                                            figure, figure.other().value(), Figures.ASCII),
                                    ratio(figure.effect()) + ", " + interval(figure)))
                    .orElse(List.of("n/a", ""));
        }

        static String ratio(final double effect) {
            return String.format(Locale.ROOT, "%.3g", 1 + effect);
        }

        private static String interval(final ComparedFigure figure) {
            if (figure.low() == figure.high()) {
                return "no interval: one repeat";
            }
            final String bounds = ratio(figure.low()) + " .. " + ratio(figure.high());
            return figure.outcome() == Outcome.TOO_NOISY ? bounds + " ?" : bounds;
        }
    }
}
