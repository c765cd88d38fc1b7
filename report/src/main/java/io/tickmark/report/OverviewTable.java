package io.tickmark.report;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.OverviewColumn;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All tests and channels of a run on one screen: a line for each step, with a bar of its latency on
 * a logarithmic scale that all lines share. What all lines have in common is said once above them.
 * Where there are more lines than fit, each test and channel keeps its first and its last step;
 * where these are too many, one that did not pass or else its first; and where there are more tests
 * than fit, those that did not pass are shown before others.
 */
final class OverviewTable {
    private static final int WIDEST_PLACE = 38;
    private static final int NARROWEST_PLACE = 16;
    private static final int WIDEST_BAR = 40;
    private static final int NARROWEST_BAR = 12;
    private static final int GAP = 2;

    /** Characters of a bar: to the median, the median, to the 99th percentile, to the longest. */
    private static final char FROM_MIN = '-';

    private static final char MEDIAN = '|';
    private static final char TO_P99 = '=';
    private static final char TO_MAX = '.';

    /** Labels that say nothing about how far figures can be trusted. */
    static final List<String> NO_REMARK =
            List.of(Labels.CLOSED_LOOP, Labels.AS_FAST_AS_POSSIBLE, Labels.PACED_BY_SLEEPING);

    private static final String NOT_VALID = "void: not valid";

    /** A step of a test on a channel. */
    private record Line(Block block, MergedRow row) {
        /** Empty where its rate is what counts, and its latency is that of a queue. */
        Optional<LatencySummary> latency() {
            return row.isVoid() || block.isStream() && row.isSaturated()
                    ? Optional.empty()
                    : row.headline().flatMap(row::latency);
        }

        /** Also of a row that is void. */
        Optional<LatencySummary> measured() {
            return row.isVoid() ? row.headline().flatMap(row::latency) : latency();
        }

        /** What it has are figures, even if it is void: then counts of what is not in them, too. */
        boolean hasFigures() {
            return !row.isVoid() || measured().isPresent();
        }

        List<String> remarks() {
            final List<String> remarks = new ArrayList<>(row.labels());
            remarks.removeAll(NO_REMARK);
            if (row.verdict() != Verdict.PASS) {
                remarks.addFirst(
                        row.isVoid() ? NOT_VALID : row.verdict().name().toLowerCase(Locale.ROOT));
            }
            return remarks;
        }

        /** A loop that measures its own thread sends nothing. */
        boolean hasNoRate() {
            return row.any().offeredRatePerSecond() == 0
                    && row.sum(TrialResult::sent) == 0
                    && row.sum(TrialResult::received) == 0;
        }

        boolean isOfPings() {
            return !block.isStream() && !block.isGeneral();
        }

        /** Where none of its pings are lost, those without an echo are all there is to say. */
        boolean mayHaveLosses() {
            return !row.isForeignEcho()
                    && (!isOfPings() || hasFigures() && row.sum(TrialResult::lost) > 0);
        }

        /** Late ones are not lost; what a foreign echo received is not known. */
        boolean hasMissingEchoes() {
            return row.isForeignEcho()
                    || hasFigures() && row.sum(TrialResult::notEchoed) > row.sum(TrialResult::lost);
        }

        String cell(final OverviewColumn column) {
            final double figure = column.figure().applyAsDouble(row);
            return switch (column.kind()) {
                case RATE ->
                        hasNoRate() || row.isVoid() && measured().isEmpty()
                                ? ""
                                : Figures.ASCII.rate(figure);
                case TIME ->
                        measured().isEmpty()
                                ? ""
                                : Double.isNaN(figure) ? "n/a" : Figures.ASCII.time(figure);
                case COUNT -> hasCount(column, figure) ? Figures.count((long) figure) : "";
            };
        }

        /** Only pings have echoes. */
        private boolean hasCount(final OverviewColumn column, final double figure) {
            return hasFigures()
                    && !Double.isNaN(figure)
                    && (isOfPings() || !column.equals(OverviewColumn.NO_ECHO));
        }

        String step() {
            return block.stepName(row, Figures.ASCII);
        }

        boolean isPassed() {
            return row.verdict() == Verdict.PASS;
        }
    }

    /** What lines have in common; empty where they differ, or none has it. */
    private record Shared(String test, String channel, String step, boolean hasChannels) {
        static Shared of(final List<Line> lines) {
            return new Shared(
                    common(lines, line -> line.block().test()),
                    common(lines, line -> line.block().channel()),
                    common(lines, Line::step),
                    lines.stream().anyMatch(line -> !line.block().channel().isEmpty()));
        }

        private static String common(final List<Line> lines, final Function<Line, String> part) {
            final String first = part.apply(lines.getFirst());
            return lines.stream().map(part).allMatch(first::equals) ? Printable.of(first) : "";
        }

        String heading() {
            return joined(test, channel, step);
        }

        /** The title of the column that holds what is left. */
        String column() {
            if (test.isEmpty()) {
                return channel.isEmpty() && hasChannels ? "test and channel" : "test";
            }
            return !channel.isEmpty() ? "step" : hasChannels ? "channel" : "test";
        }

        String rest(final Line line) {
            final String rest =
                    joined(
                            test.isEmpty() ? Printable.of(line.block().test()) : "",
                            channel.isEmpty() ? Printable.of(line.block().channel()) : "",
                            step.isEmpty() ? line.step() : "");
            return rest.isEmpty() ? Printable.of(line.block().test()) : rest;
        }

        private static String joined(final String test, final String channel, final String step) {
            final String place =
                    test.isEmpty() || channel.isEmpty() ? test + channel : test + " on " + channel;
            return place.isEmpty() || step.isEmpty() ? place + step : place + ", " + step;
        }
    }

    private final List<Line> lines = new ArrayList<>();
    private final Shared shared;
    private int leftSteps;
    private boolean hasOneStep;
    private int leftLines;
    private int widestPlace = WIDEST_PLACE;
    private int gap = GAP;
    private long shortestNs = Long.MAX_VALUE;
    private long longestNs;

    private OverviewTable(final List<Block> blocks, final int most) {
        final int all = blocks.stream().mapToInt(block -> block.rows().size()).sum();
        for (final Block block : blocks) {
            final int last = block.rows().size() - 1;
            for (int i = 0; i <= last; i++) {
                if (all > most && i > 0 && i < last) {
                    leftSteps++;
                } else {
                    lines.add(new Line(block, block.rows().get(i)));
                }
            }
        }
        if (lines.size() > most) {
            leaveOut(most);
        }
        shared = Shared.of(lines);
        lines.stream()
                .flatMap(line -> line.latency().stream())
                .forEach(latency -> {
                    shortestNs = Math.min(shortestNs, Math.max(1, latency.min()));
                    longestNs = Math.max(longestNs, latency.max());
                });
    }

    /**
     * First all but one step of a test on a channel, so that each of them is named as long as there
     * is room; then tests, from the end, and what passed before what did not.
     */
    private void leaveOut(final int most) {
        final List<Line> shown = new ArrayList<>();
        for (final Line line : lines) {
            if (shown.isEmpty() || shown.getLast().block() != line.block()) {
                shown.add(line);
            } else if (shown.getLast().isPassed() && !line.isPassed()) {
                shown.set(shown.size() - 1, line);
            }
        }
        leftSteps += lines.size() - shown.size();
        hasOneStep = true;
        lines.clear();
        lines.addAll(shown);
        for (final boolean isPassed : new boolean[] {true, false}) {
            for (int i = lines.size() - 1; i >= 0 && lines.size() > most; i--) {
                if (lines.get(i).isPassed() == isPassed) {
                    lines.remove(i);
                    leftLines++;
                }
            }
        }
    }

    /**
     * The overview as lines.
     *
     * @param blocks of a run, at least one
     * @param width of the terminal
     * @param ink for headings
     * @param most rows of the table, at least one
     * @return lines without line ends
     */
    static List<String> lines(
            final List<Block> blocks, final int width, final Ink ink, final int most) {
        return new OverviewTable(blocks, most).lines(width, ink);
    }

    private List<String> lines(final int width, final Ink ink) {
        final Remarks remarks = new Remarks(lines);
        final List<Column> figures = figures();
        final int words = remarks.widest();
        final int letters = Math.min(words, remarks.mostLetters());
        final boolean hasWords = barWidth(width, figures, words) >= NARROWEST_BAR;
        makeRoom(width, figures, letters);
        final int bar = barWidth(width, figures, hasWords ? words : letters);
        if (bar >= NARROWEST_BAR && longestNs > 0) {
            figures.add(
                    new Column(
                            scale(bar),
                            true,
                            line -> line.latency().map(latency -> bar(latency, bar)).orElse("")));
        }
        if (words > 0) {
            figures.add(new Column("", true, hasWords ? remarks::words : remarks::letters));
        }
        final TextTable table =
                table(
                        figures.stream()
                                .map(column ->
                                        new TextTable.Column(column.title(), column.isText()))
                                .toList());
        for (final Line line : lines) {
            final List<String> cells =
                    figures.stream().map(column -> column.text().apply(line)).toList();
            if (line.row().isVoid()) {
                table.addFaint(cells);
            } else {
                table.add(cells);
            }
        }
        final List<String> text = new ArrayList<>();
        if (!shared.heading().isEmpty()) {
            Paragraph.lines(shared.heading(), width).forEach(line -> text.add(ink.strong(line)));
        }
        text.addAll(table.lines(width, ink));
        final String legend =
                Stream.of(
                                words > 0 && !hasWords ? remarks.legend() : "",
                                bar >= NARROWEST_BAR && longestNs > 0 && scale(bar).isEmpty()
                                        ? "bars from %s to %s"
                                                .formatted(
                                                        Figures.ASCII.time(shortestNs),
                                                        Figures.ASCII.time(longestNs))
                                        : "")
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining("; "));
        if (!legend.isEmpty()) {
            text.addAll(Paragraph.lines(legend, width));
        }
        if (leftSteps > 0) {
            text.add(
                    ink.faint(
                            (hasOneStep
                                            ? "of each test and channel one step; "
                                            : "of each test and channel its first and last step; ")
                                    + Plural.of(leftSteps, "more step")
                                    + " in summary.txt"));
        }
        if (leftLines > 0) {
            text.add(ink.faint(Plural.of(leftLines, "more line") + " in summary.txt"));
        }
        return text;
    }

    private TextTable table(final List<TextTable.Column> columns) {
        final TextTable table = new TextTable(columns, 1);
        return gap < GAP ? table.tight() : table;
    }

    /** All figures stay: columns come closer, then names of places lose their middle. */
    private void makeRoom(final int width, final List<Column> figures, final int letters) {
        if (barWidth(width, figures, letters) >= NARROWEST_BAR) {
            return;
        }
        gap = 1;
        final int missing = NARROWEST_BAR - barWidth(width, figures, letters);
        if (missing > 0) {
            final int place = figures.getFirst().width(lines);
            if (place - missing >= NARROWEST_PLACE) {
                widestPlace = place - missing;
            } else {
                gap = GAP; // there is no room for a bar
            }
        }
    }

    private record Column(String title, boolean isText, Function<Line, String> text) {
        int width(final List<Line> lines) {
            return Math.max(
                    title.length(),
                    lines.stream().mapToInt(line -> text.apply(line).length()).max().orElse(0));
        }
    }

    /** The columns before the bar; a new list. */
    private List<Column> figures() {
        final List<Column> columns = new ArrayList<>();
        columns.add(
                new Column(
                        shared.column(),
                        true,
                        line -> Printable.withoutMiddle(shared.rest(line), widestPlace)));
        OverviewColumn.ALL.stream()
                .filter(this::isShown)
                .map(column -> new Column(column.title(), false, line -> line.cell(column)))
                .forEach(columns::add);
        return columns;
    }

    /** Of lost messages and missing echoes those that there may be. */
    private boolean isShown(final OverviewColumn column) {
        final boolean hasMissing = lines.stream().anyMatch(Line::hasMissingEchoes);
        if (column.equals(OverviewColumn.LOST)) {
            return !hasMissing || lines.stream().anyMatch(Line::mayHaveLosses);
        }
        return !column.equals(OverviewColumn.NO_ECHO) || hasMissing;
    }

    /** Where there are too few latencies it is not known. */
    static String time(final OptionalLong ns) {
        return ns.isPresent() ? Figures.ASCII.time(ns.getAsLong()) : "n/a";
    }

    /** What these columns, and one of this width behind the bar, leave for it. */
    private int barWidth(final int width, final List<Column> columns, final int behind) {
        final int before = columns.stream().mapToInt(column -> column.width(lines) + gap).sum();
        return Math.min(WIDEST_BAR, width - before - (behind == 0 ? 0 : gap + behind));
    }

    /** What qualifies lines: in words, or as a letter for each that a line below explains. */
    private static final class Remarks {
        private final Map<String, Character> letters = new LinkedHashMap<>();
        private final int widest;
        private final int mostLetters;

        Remarks(final List<Line> lines) {
            lines.stream()
                    .flatMap(line -> line.remarks().stream())
                    .forEach(remark -> letters.computeIfAbsent(remark, this::letter));
            widest = lines.stream().mapToInt(line -> words(line).length()).max().orElse(0);
            mostLetters = lines.stream().mapToInt(line -> letters(line).length()).max().orElse(0);
        }

        /** The first of its own that no other has. */
        private char letter(final String remark) {
            return (char)
                    remark.toUpperCase(Locale.ROOT)
                            .chars()
                            .filter(letter -> !letters.containsValue((char) letter))
                            .findFirst()
                            .orElse('*');
        }

        String words(final Line line) {
            return Printable.of(String.join(", ", line.remarks()));
        }

        String letters(final Line line) {
            return line.remarks().stream()
                    .map(remark -> letters.get(remark).toString())
                    .collect(Collectors.joining());
        }

        String legend() {
            return letters.entrySet().stream()
                    .map(entry -> entry.getValue() + " " + Printable.of(entry.getKey()))
                    .collect(Collectors.joining(", "));
        }

        int widest() {
            return widest;
        }

        int mostLetters() {
            return mostLetters;
        }
    }

    /** Where the scale begins and ends. */
    private String scale(final int bar) {
        final String from = Figures.ASCII.time(shortestNs);
        final String to = Figures.ASCII.time(longestNs);
        final int gap = bar - from.length() - to.length();
        return gap < 1 ? "" : from + " ".repeat(gap) + to;
    }

    private String bar(final LatencySummary latency, final int width) {
        final char[] bar = " ".repeat(width).toCharArray();
        final int min = at(latency.min(), width);
        final int median = at(latency.p50().orElse(latency.min()), width);
        final int p99 = at(latency.p99().orElse(latency.max()), width);
        final int max = at(latency.max(), width);
        for (int i = min; i <= max; i++) {
            bar[i] = i < median ? FROM_MIN : i <= p99 ? TO_P99 : TO_MAX;
        }
        bar[median] = MEDIAN;
        return new String(bar).stripTrailing();
    }

    private int at(final long ns, final int width) {
        if (longestNs <= shortestNs) {
            return 0;
        }
        final double part =
                Math.log((double) Math.max(shortestNs, ns) / shortestNs)
                        / Math.log((double) longestNs / shortestNs);
        return Math.clamp(Math.round(part * (width - 1)), 0, width - 1);
    }
}
