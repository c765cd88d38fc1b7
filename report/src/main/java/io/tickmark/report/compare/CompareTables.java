package io.tickmark.report.compare;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Comparison.Difference;
import io.tickmark.lab.compare.Comparison.SideSummary;
import io.tickmark.lab.compare.Gate;
import io.tickmark.lab.compare.Gate.GateVerdict;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.report.RunTables;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.LatencyTitle;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A comparison as plain text. Immutable, any thread. */
public final class CompareTables {
    /** More are in the page. */
    private static final int MOST_DIFFERENCES = 20;

    /**
     * What is shown where all of a comparison does not fit one screen.
     *
     * @param rows of the table of headline figures
     * @param sentences of each kind
     * @param differences between the runs
     */
    private record Brevity(int rows, int sentences, int differences) {}

    /** The first that fits is taken, or the last. */
    private static final List<Brevity> BREVITIES =
            List.of(
                    new Brevity(16, 2, 3),
                    new Brevity(16, 2, 0),
                    new Brevity(12, 1, 3),
                    new Brevity(12, 1, 0),
                    new Brevity(8, 1, 0),
                    new Brevity(6, 0, 0),
                    new Brevity(3, 0, 0),
                    new Brevity(0, 0, 0));

    /** Of a line, for the figures beside a place. */
    private static final int FIGURES_ON_SCREEN = 54;

    private static final int MOST_DIFFERENCES_ON_SCREEN = 3;

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
        resolution(lines, comparison);
        sides(lines, comparison.sides());
        lines.add("");
        if (comparison.sides().size() > 2) {
            ratios(lines, comparison, RatioTable.ALL);
            items(lines, broken(comparison), Integer.MAX_VALUE);
            items(lines, doubts(headlines(comparison, RatioTable.ALL)), Integer.MAX_VALUE);
        } else {
            comparison.rows().forEach(row -> row(lines, comparison, row));
        }
        sheet(lines, comparison);
        differences(lines, comparison, MOST_DIFFERENCES);
        items(lines, comparison.notes(), Integer.MAX_VALUE);
        paragraph(lines, CompareWords.meaning(comparison));
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
                                    Plural.of(repeats.getMax(), "repeat"),
                                    first.startedAt(),
                                    together));
            return;
        }
        sides.forEach(side -> side(lines, side));
    }

    /** What is before the last slash; no path of the system's, as results come from any. */
    private static String folder(final String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /**
     * The comparison on one screen: all of it where that fits, otherwise a line for each headline
     * figure, or for each that changed.
     *
     * @param comparison to show
     * @return lines
     */
    public String screen(final Comparison comparison) {
        final String all = render(comparison);
        if (all.lines().count() <= RunTables.SCREEN_LINES) {
            return all;
        }
        final List<String> lines = new ArrayList<>();
        if (comparison.sides().size() > 2) {
            resolution(lines, comparison);
            several(lines, comparison);
            return String.join("\n", lines) + "\n";
        }
        for (final Brevity brevity : BREVITIES) {
            lines.clear();
            two(lines, comparison, brevity);
            if (lines.size() <= RunTables.SCREEN_LINES) {
                break;
            }
        }
        return String.join("\n", lines) + "\n";
    }

    /** One run against another: the headline figures, and what to know besides. */
    private void two(final List<String> lines, final Comparison comparison, final Brevity brevity) {
        resolution(lines, comparison);
        comparison.sides().forEach(side -> side(lines, side));
        lines.add("");
        headlines(lines, comparison, brevity);
        items(lines, broken(comparison), Math.max(1, brevity.sentences()));
        differences(lines, comparison, brevity.differences());
        items(lines, comparison.notes(), brevity.sentences());
        outcome(lines, comparison);
    }

    /** Several runs against the first: a line for each, with what it promises where that fits. */
    private void several(final List<String> lines, final Comparison comparison) {
        // combinations have names that say what they are; letters have folders
        comparison.sides().stream()
                .filter(side -> side.name().length() == 1)
                .forEach(side -> side(lines, side));
        final List<String> end = new ArrayList<>();
        end.add("");
        paragraph(end, RatioTable.REMARKS);
        end.add("");
        final List<String> absent =
                comparison.sides().stream()
                        .skip(1)
                        .map(SideSummary::name)
                        .filter(name ->
                                comparison.rows().stream()
                                        .noneMatch(row -> row.side().equals(name)))
                        .toList();
        if (!absent.isEmpty()) {
            paragraph(
                    end,
                    "Not compared, and why is in the page: " + String.join(", ", absent) + ".");
            end.add("");
        }
        items(end, broken(comparison), 1);
        final List<String> outcome = new ArrayList<>();
        outcome(outcome, comparison);
        final int room = RunTables.SCREEN_LINES - lines.size() - end.size() - outcome.size();
        final List<String> tables = tables(comparison, room);
        lines.addAll(tables);
        lines.addAll(end);
        int left = room - tables.size();
        final List<Consumer<List<String>>> remarks =
                List.of(
                        more -> items(more, doubts(headlines(comparison, RatioTable.FEW)), 1),
                        more -> items(more, comparison.notes(), 1),
                        more -> differences(more, comparison, MOST_DIFFERENCES_ON_SCREEN));
        for (final Consumer<List<String>> remark : remarks) {
            final List<String> more = new ArrayList<>();
            remark.accept(more);
            if (more.size() <= left) {
                left -= more.size();
                lines.addAll(more);
            }
        }
        lines.addAll(outcome);
    }

    /** Of tests and steps, as many as fit: those where something changed before others. */
    private List<String> tables(final Comparison comparison, final int room) {
        final Map<String, List<ComparedRow>> places = RatioTable.places(comparison);
        final List<String> wanted = new ArrayList<>(places.keySet());
        wanted.sort(
                Comparator.comparing(
                        place -> places.get(place).stream().noneMatch(RatioTable::hasChanged)));
        for (int shown = wanted.size(); shown > 0; shown--) {
            final Set<String> kept = Set.copyOf(wanted.subList(0, shown));
            final int forTables = shown < wanted.size() ? room - 2 : room;
            // empty line, heading, names of columns, rule, the first run, how many were left out
            final int most = Math.max(1, forTables / shown - (shown > 1 ? 7 : 6));
            final List<String> tables = new ArrayList<>();
            places.forEach((place, rows) -> {
                if (kept.contains(place)) {
                    table(tables, comparison, place, rows, most);
                }
            });
            if (shown < wanted.size()) {
                tables.add("");
                paragraph(
                        tables,
                        "and %s, with --verbose."
                                .formatted(
                                        Plural.of(
                                                wanted.size() - shown,
                                                "more test or step",
                                                "more tests or steps")));
            }
            if (tables.size() <= room || shown == 1) {
                return tables;
            }
        }
        return List.of();
    }

    private void table(
            final List<String> lines,
            final Comparison comparison,
            final String place,
            final List<ComparedRow> rows,
            final int most) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        heading(lines, place);
        // the last two may take the place of the line that counts them
        final int shown = rows.size() <= most + 2 ? rows.size() : most;
        lines.addAll(RatioTable.brief(comparison, rows.subList(0, shown), width, ink));
        if (shown < rows.size()) {
            lines.add("");
            paragraph(lines, "and %d more.".formatted(rows.size() - shown));
        }
    }

    private void resolution(final List<String> lines, final Comparison comparison) {
        if (comparison.gate() != null) {
            paragraph(lines, CompareWords.resolution(comparison, comparison.gate(), Figures.ASCII));
            lines.add("");
        }
    }

    private void side(final List<String> lines, final SideSummary side) {
        paragraph(
                lines,
                "%s: %s, plan %s, %s, %s"
                        .formatted(
                                side.name(),
                                side.path(),
                                side.plan(),
                                side.startedAt(),
                                Plural.of(side.repeats(), "repeat")));
    }

    private void ratios(
            final List<String> lines, final Comparison comparison, final List<String> parts) {
        RatioTable.of(comparison, parts)
                .forEach((place, table) -> {
                    heading(lines, place);
                    lines.addAll(table.lines(width, ink));
                    lines.add("");
                });
        final List<ComparedFigure> questioned =
                comparison.rows().stream()
                        .flatMap(row -> row.figures().stream())
                        .filter(RatioTable::isQuestioned)
                        .toList();
        if (!questioned.isEmpty()) {
            paragraph(
                    lines,
                    "A question mark: too noisy to tell a difference."
                            + (questioned.stream().noneMatch(RatioTable::isTooWide)
                                    ? ""
                                    : " Intervals from one bound to a hundred times as much are"
                                            + " not shown; --repeats narrows them."));
            lines.add("");
        }
    }

    /** A figure of a row. */
    private record Line(ComparedRow row, ComparedFigure figure) {
        boolean isChanged() {
            return RatioTable.isChanged(figure);
        }
    }

    /** The headline figures of all rows in one table, or those that changed. */
    private void headlines(
            final List<String> lines, final Comparison comparison, final Brevity brevity) {
        final List<Line> all = headlines(comparison, RatioTable.FEW);
        final List<Line> changed = all.stream().filter(Line::isChanged).toList();
        final List<Line> shown =
                all.size() <= brevity.rows()
                        ? all
                        : changed.stream().limit(brevity.rows()).toList();
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("where", true),
                                new TextTable.Column("", true),
                                new TextTable.Column(
                                        CompareWords.head(comparison.sides().getFirst().name()),
                                        false),
                                new TextTable.Column(
                                        CompareWords.head(comparison.sides().getLast().name()),
                                        false),
                                new TextTable.Column("change", false),
                                new TextTable.Column("verdict", true)),
                        1);
        String before = "";
        for (final Line line : shown) {
            final String place = CompareWords.place(line.row(), Figures.ASCII);
            table.add(
                    List.of(
                            place.equals(before)
                                    ? ""
                                    : Printable.withoutMiddle(
                                            Printable.of(place),
                                            Math.max(
                                                    FIGURES_ON_SCREEN / 2,
                                                    width - FIGURES_ON_SCREEN)),
                            CompareWords.part(line.figure().name()),
                            CompareWords.value(
                                    line.figure(), line.figure().first().value(), Figures.ASCII),
                            CompareWords.value(
                                    line.figure(), line.figure().other().value(), Figures.ASCII),
                            CompareWords.change(line.figure().effect()),
                            CompareWords.word(comparison, line.row(), line.figure())));
            before = place;
        }
        paragraph(lines, left(all.size(), changed.size(), shown.size()));
        if (!shown.isEmpty()) {
            lines.addAll(table.lines(width, ink));
        }
        lines.add("");
        items(lines, doubts(shown), brevity.sentences());
    }

    private static List<Line> headlines(final Comparison comparison, final List<String> parts) {
        return comparison.rows().stream()
                .flatMap(row ->
                        RatioTable.headlines(row, parts).stream()
                                .map(figure -> new Line(row, figure)))
                .toList();
    }

    private static String left(final int all, final int changed, final int shown) {
        if (shown == all) {
            return "Headline figures of each row; all figures and their intervals with --verbose.";
        }
        if (changed == 0) {
            return "None of %d headline figures changed; all figures with --verbose."
                    .formatted(all);
        }
        return shown == changed
                ? "%d of %d headline figures: those that changed; all figures with --verbose."
                        .formatted(shown, all)
                : "%d of %d headline figures, of which %d changed; all figures with --verbose."
                        .formatted(shown, all, changed);
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
        final boolean isWorse =
                comparison.count(Outcome.WORSE) > CompareWords.withinItself(comparison);
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

    private void row(final List<String> lines, final Comparison comparison, final ComparedRow row) {
        heading(lines, CompareWords.place(row, Figures.ASCII));
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("figure", true),
                                new TextTable.Column(
                                        CompareWords.head(comparison.sides().getFirst().name()),
                                        false),
                                new TextTable.Column(CompareWords.head(row.side()), false),
                                new TextTable.Column("change", false),
                                new TextTable.Column("interval", false),
                                new TextTable.Column("verdict", true)),
                        1);
        row.figures().forEach(figure -> table.add(cells(comparison, row, figure)));
        if (!row.figures().isEmpty()) {
            lines.addAll(table.lines(width, ink));
        }
        row.broken().forEach(sentence -> item(lines, "worse: " + sentence));
        doubts(row).forEach(sentence -> item(lines, sentence));
        if (!row.differences().isEmpty()) {
            item(lines, "not the same: " + String.join("; ", row.differences()) + ".");
        }
        lines.add("");
    }

    /** Why figures of the row are too noisy that their intervals alone would decide, sentences. */
    private static List<String> doubts(final ComparedRow row) {
        return row.figures().stream()
                .filter(figure -> figure.doubt().isBesideInterval())
                .map(CompareTables::doubt)
                .toList();
    }

    private static String doubt(final ComparedFigure figure) {
        return CompareWords.figure(figure.name()) + ": " + figure.reason();
    }

    /** The same of figures of several rows, each sentence once, with the row that has it first. */
    private static List<String> doubts(final List<Line> figures) {
        final Map<String, String> places = new LinkedHashMap<>();
        figures.stream()
                .filter(each -> each.figure().doubt().isBesideInterval())
                .forEach(each ->
                        places.putIfAbsent(
                                doubt(each.figure()),
                                "%s, %s: "
                                        .formatted(
                                                each.row().side(),
                                                CompareWords.step(each.row(), Figures.ASCII))));
        return places.entrySet().stream().map(each -> each.getValue() + each.getKey()).toList();
    }

    /** Broken criteria of all rows, sentences. */
    private static List<String> broken(final Comparison comparison) {
        return comparison.rows().stream()
                .flatMap(row ->
                        row.broken().stream()
                                .map(sentence ->
                                        "%s, %s: worse: %s"
                                                .formatted(
                                                        row.side(),
                                                        CompareWords.step(row, Figures.ASCII),
                                                        sentence)))
                .toList();
    }

    private void items(final List<String> lines, final List<String> sentences, final int most) {
        sentences.stream().limit(most).forEach(sentence -> item(lines, sentence));
        if (most == 0 && !sentences.isEmpty()) {
            item(lines, Plural.of(sentences.size(), "more remark") + ", with --verbose.");
        } else if (sentences.size() > most) {
            item(lines, "and %d more, with --verbose.".formatted(sentences.size() - most));
        }
        if (!sentences.isEmpty()) {
            lines.add("");
        }
    }

    private static List<String> cells(
            final Comparison comparison, final ComparedRow row, final ComparedFigure figure) {
        return List.of(
                CompareWords.figure(figure.name()),
                CompareWords.value(figure, figure.first().value(), Figures.ASCII),
                CompareWords.value(figure, figure.other().value(), Figures.ASCII),
                CompareWords.change(figure.effect()),
                CompareWords.interval(figure),
                CompareWords.word(comparison, row, figure));
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

    private void differences(
            final List<String> lines, final Comparison comparison, final int most) {
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
                .limit(most)
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
        if (!all.isEmpty() && most > 0) {
            lines.addAll(table.lines(width, ink));
        }
        if (libraries > MOST_LIBRARIES) {
            item(lines, libraries + " libraries differ, in the page.");
        }
        if (most == 0 && !all.isEmpty()) {
            item(lines, Plural.of(all.size(), "difference") + ", in the page.");
        } else if (all.size() > most) {
            item(lines, "and %d more, in the page.".formatted(all.size() - most));
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
        /** Parts of the headline latency: all that have a ratio here, and those of one screen. */
        static final List<String> ALL = List.of("p50", "p99", "p999");

        static final List<String> FEW = List.of("p50", "p99");
        private static final String RATE = "ratePerSecond";

        private static final int LONGEST_PROMISE = 30;

        /** Below the brief tables. */
        static final String REMARKS =
                "A question mark: too noisy to tell a difference. Rates only where one changed. Intervals, further"
                        + " figures, all that the runs promise, and more remarks: in the page, and with --verbose.";

        /** A longest bound that is so many times the shortest says nothing in digits. */
        private static final double WIDEST = 100;

        private RatioTable() {}

        /** By test and step of the first run: a table of ratios. */
        static Map<String, TextTable> of(final Comparison comparison, final List<String> parts) {
            final Map<String, TextTable> tables = new LinkedHashMap<>();
            places(comparison)
                    .forEach((place, rows) -> tables.put(place, table(comparison, rows, parts)));
            return tables;
        }

        /** The rows of the other runs by test and step of the first, with what is compared. */
        static Map<String, List<ComparedRow>> places(final Comparison comparison) {
            final Map<String, List<ComparedRow>> groups = new LinkedHashMap<>();
            for (final ComparedRow row : comparison.rows()) {
                groups.computeIfAbsent(
                                CompareWords.step(row, Figures.ASCII), place -> new ArrayList<>())
                        .add(row);
            }
            final Map<String, List<ComparedRow>> places = new LinkedHashMap<>();
            groups.forEach((place, rows) -> places.put(place + measure(rows), rows));
            return places;
        }

        /**
         * A line for each run: headline figures with their ratios, the rate only where one changed,
         * and as many columns of what the runs promise as fit beside them.
         */
        static List<String> brief(
                final Comparison comparison,
                final List<ComparedRow> rows,
                final int width,
                final Ink ink) {
            final int settings =
                    comparison.settings().isEmpty()
                            ? 0
                            : comparison.settings().getFirst().values().size();
            for (int columns = settings; columns > 0; columns--) {
                final List<String> lines = brief(comparison, rows, columns).lines(width, Ink.PLAIN);
                if (lines.size() <= rows.size() + 3
                        && lines.stream().allMatch(line -> line.length() <= width)) {
                    return brief(comparison, rows, columns).lines(width, ink);
                }
            }
            return brief(comparison, rows, 0).lines(width, ink);
        }

        private static TextTable brief(
                final Comparison comparison, final List<ComparedRow> rows, final int settings) {
            final List<String> names = names(rows, FEW);
            final boolean hasLatency = names.size() > 1;
            names.removeIf(name -> {
                final List<ComparedFigure> all =
                        rows.stream().flatMap(row -> figure(row, name).stream()).toList();
                return all.isEmpty()
                        || hasLatency
                                && name.equals(RATE)
                                && all.stream().noneMatch(RatioTable::isChanged);
            });
            final List<TextTable.Column> columns = new ArrayList<>();
            columns.add(new TextTable.Column("run", true));
            for (final String name : names) {
                columns.add(new TextTable.Column(CompareWords.part(name), false));
                columns.add(new TextTable.Column("ratio", true));
            }
            final List<String> promises =
                    settings == 0
                            ? List.of()
                            : comparison.settings().getFirst().values().keySet().stream()
                                    .limit(settings)
                                    .toList();
            promises.forEach(
                    promise -> columns.add(new TextTable.Column(CompareWords.head(promise), true)));
            final TextTable table = new TextTable(columns, 1, 2);
            final String first = comparison.sides().getFirst().name();
            final List<String> base = new ArrayList<>();
            base.add(first);
            names.forEach(name -> base.addAll(first(rows, name)));
            promises.forEach(promise -> base.add(promise(comparison, first, promise)));
            table.add(base);
            for (final ComparedRow row : rows) {
                final List<String> cells = new ArrayList<>();
                cells.add(row.side());
                names.forEach(name -> {
                    final List<String> other = other(row, name);
                    cells.add(other.getFirst());
                    cells.add(
                            figure(row, name)
                                    .map(figure ->
                                            ratio(figure.effect())
                                                    + (figure.outcome() == Outcome.TOO_NOISY
                                                            ? " ?"
                                                            : ""))
                                    .orElse(""));
                });
                promises.forEach(promise -> cells.add(promise(comparison, row.side(), promise)));
                table.add(cells);
            }
            return table;
        }

        /** Whether it has such a figure, or broke a criterion. */
        static boolean hasChanged(final ComparedRow row) {
            return !row.broken().isEmpty()
                    || row.figures().stream().anyMatch(RatioTable::isChanged);
        }

        private static boolean isChanged(final ComparedFigure figure) {
            return figure.outcome() == Outcome.BETTER || figure.outcome() == Outcome.WORSE;
        }

        private static String promise(
                final Comparison comparison, final String side, final String name) {
            return comparison.settings().stream()
                    .filter(sheet -> sheet.side().equals(side))
                    .findFirst()
                    .map(sheet ->
                            CompareWords.cut(
                                    sheet.values().getOrDefault(name, ""), LONGEST_PROMISE))
                    .orElse("");
        }

        /** Which latency the percentages of the table are of. */
        private static String measure(final List<ComparedRow> rows) {
            return rows.stream()
                    .flatMap(row -> headline(row).stream())
                    .findFirst()
                    .map(name -> ": " + LatencyTitle.of(name).toLowerCase(Locale.ROOT))
                    .orElse("");
        }

        /** Rate and these parts of the headline latency, as far as the row has them. */
        static List<ComparedFigure> headlines(final ComparedRow row, final List<String> parts) {
            return names(List.of(row), parts).stream()
                    .flatMap(name -> figure(row, name).stream())
                    .toList();
        }

        private static List<String> names(final List<ComparedRow> rows, final List<String> parts) {
            final List<String> names = new ArrayList<>();
            rows.stream()
                    .flatMap(row -> headline(row).stream())
                    .findFirst()
                    .ifPresent(latency -> parts.forEach(part -> names.add(latency + "." + part)));
            names.add(RATE);
            return names;
        }

        private static TextTable table(
                final Comparison comparison,
                final List<ComparedRow> rows,
                final List<String> parts) {
            final List<String> names = names(rows, parts);
            names.removeIf(name -> rows.stream().noneMatch(row -> figure(row, name).isPresent()));
            final List<TextTable.Column> columns = new ArrayList<>();
            columns.add(new TextTable.Column("run", true));
            for (final String name : names) {
                columns.add(new TextTable.Column(CompareWords.part(name), false));
                columns.add(new TextTable.Column("ratio, interval", true));
            }
            final TextTable table = new TextTable(columns, 1, 2);
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

        /** Whether its interval says too little; a single repeat has none. */
        static boolean isQuestioned(final ComparedFigure figure) {
            return figure.outcome() == Outcome.TOO_NOISY && figure.low() < figure.high();
        }

        /** Whether its interval is so wide that its bounds are not shown. */
        static boolean isTooWide(final ComparedFigure figure) {
            return isQuestioned(figure) && 1 + figure.high() > WIDEST * (1 + figure.low());
        }

        private static String interval(final ComparedFigure figure) {
            if (figure.low() == figure.high()) {
                return "none: one repeat";
            }
            if (isTooWide(figure)) {
                return "?";
            }
            final String bounds = ratio(figure.low()) + " .. " + ratio(figure.high());
            return isQuestioned(figure) ? bounds + " ?" : bounds;
        }
    }
}
