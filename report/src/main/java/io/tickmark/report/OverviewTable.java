package io.tickmark.report;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All tests and channels of a run on one screen: a line for each step, with a bar of its latency on
 * a logarithmic scale that all lines share. Where there are more lines than fit, each test and
 * channel keeps its first and its last step.
 */
final class OverviewTable {
    private static final int MOST_LINES = 36;
    private static final int WIDEST_PLACE = 38;
    private static final String PLACE = "test and channel";
    private static final List<String> FIGURES =
            List.of("rate", "50 %", "99 %", "99.9 %", "longest", "lost");
    private static final int WIDEST_BAR = 40;
    private static final int NARROWEST_BAR = 16;
    private static final int GAP = 2;

    /** Characters of a bar: to the median, the median, to the 99th percentile, to the longest. */
    private static final char FROM_MIN = '-';

    private static final char MEDIAN = '|';
    private static final char TO_P99 = '=';
    private static final char TO_MAX = '.';

    /** Labels that say nothing about how far figures can be trusted. */
    private static final List<String> NO_REMARK =
            List.of(Labels.CLOSED_LOOP, Labels.AS_FAST_AS_POSSIBLE, Labels.PACED_BY_SLEEPING);

    /** A step of a test on a channel. */
    private record Line(Block block, MergedRow row) {
        /** Empty where its rate is what counts, and its latency is that of a queue. */
        Optional<LatencySummary> latency() {
            return row.isVoid() || block.isStream() && row.isSaturated()
                    ? Optional.empty()
                    : row.headline().flatMap(row::latency);
        }

        String remark() {
            final List<String> remarks = new ArrayList<>(row.labels());
            remarks.removeAll(NO_REMARK);
            if (row.verdict() != Verdict.PASS) {
                remarks.addFirst(row.verdict().name().toLowerCase(Locale.ROOT));
            }
            return String.join(", ", remarks);
        }
    }

    private final List<Line> lines = new ArrayList<>();
    private int left;
    private long shortestNs = Long.MAX_VALUE;
    private long longestNs;

    private OverviewTable(final List<Block> blocks) {
        final int all = blocks.stream().mapToInt(block -> block.rows().size()).sum();
        for (final Block block : blocks) {
            final int last = block.rows().size() - 1;
            for (int i = 0; i <= last; i++) {
                if (all > MOST_LINES && i > 0 && i < last) {
                    left++;
                } else {
                    lines.add(new Line(block, block.rows().get(i)));
                }
            }
        }
        lines.stream()
                .flatMap(line -> line.latency().stream())
                .forEach(latency -> {
                    shortestNs = Math.min(shortestNs, Math.max(1, latency.min()));
                    longestNs = Math.max(longestNs, latency.max());
                });
    }

    /**
     * The overview as lines.
     *
     * @param blocks of a run
     * @param width of the terminal
     * @param ink for headings
     * @return lines without line ends
     */
    static List<String> lines(final List<Block> blocks, final int width, final Ink ink) {
        return new OverviewTable(blocks).lines(width, ink);
    }

    private List<String> lines(final int width, final Ink ink) {
        final boolean isOneTest =
                lines.stream().map(line -> line.block().test()).distinct().count() == 1
                        && lines.stream().noneMatch(line -> line.block().channel().isEmpty());
        final List<List<String>> cells =
                lines.stream().map(line -> cells(line, isOneTest)).toList();
        final String place =
                isOneTest ? Printable.of(lines.getFirst().block().test()) + " on" : PLACE;
        final int used = used(place, cells);
        final int remarks =
                lines.stream().mapToInt(line -> line.remark().length() + GAP).max().orElse(0);
        final boolean hasMarks = remarks > GAP;
        final boolean hasRemarks = hasMarks && used + remarks + GAP + NARROWEST_BAR <= width;
        final int bar =
                Math.min(
                        WIDEST_BAR,
                        width - used - GAP - (hasRemarks ? remarks : hasMarks ? GAP + 1 : 0));
        final boolean hasBar = bar >= NARROWEST_BAR && longestNs > 0;
        final List<TextTable.Column> columns = new ArrayList<>();
        columns.add(new TextTable.Column(place, true));
        FIGURES.forEach(name -> columns.add(new TextTable.Column(name, false)));
        if (hasBar) {
            columns.add(new TextTable.Column(scale(bar), true));
        }
        if (hasMarks) {
            columns.add(new TextTable.Column("", true));
        }
        final TextTable table = new TextTable(columns, 1);
        for (int i = 0; i < lines.size(); i++) {
            final List<String> row = new ArrayList<>(cells.get(i));
            final Line line = lines.get(i);
            if (hasBar) {
                row.add(line.latency().map(latency -> bar(latency, bar)).orElse(""));
            }
            if (hasMarks) {
                row.add(hasRemarks ? line.remark() : line.remark().isEmpty() ? "" : "*");
            }
            table.add(row);
        }
        final List<String> text = new ArrayList<>(table.lines(width, ink));
        if (hasMarks && !hasRemarks) {
            text.addAll(
                    Paragraph.lines(
                            lines.stream()
                                    .flatMap(line -> Stream.of(line.remark().split(", ")))
                                    .filter(remark -> !remark.isEmpty())
                                    .distinct()
                                    .collect(Collectors.joining(" or ", "* ", ", see below")),
                            width));
        }
        if (left > 0) {
            text.add(
                    ink.faint(
                            "of each test and channel its first and last step; "
                                    + Figures.plural(left, "more step")
                                    + " in summary.txt"));
        }
        return text;
    }

    private static List<String> cells(final Line line, final boolean isOneTest) {
        final Optional<LatencySummary> latency = line.latency();
        final MergedRow row = line.row();
        final String place =
                (isOneTest ? Printable.of(line.block().channel()) : line.block().place())
                        + line.block().commaStep(row, Figures.ASCII);
        final boolean isMeasured = !row.isVoid();
        return List.of(
                place.length() <= WIDEST_PLACE ? place : shortened(place),
                isMeasured
                        ? Figures.ASCII.rate(row.median(TrialResult::achievedRatePerSecond))
                        : "",
                latency.map(found -> time(found.p50())).orElse(""),
                latency.map(found -> time(found.p99())).orElse(""),
                latency.map(found -> time(found.p999())).orElse(""),
                latency.map(found -> Figures.ASCII.time(found.max())).orElse(""),
                isMeasured ? Figures.count(row.sum(TrialResult::lost)) : "");
    }

    /** The test's name and the step's name are at the two ends. */
    private static String shortened(final String place) {
        final int head = WIDEST_PLACE / 2 - 1;
        return place.substring(0, head)
                + ".."
                + place.substring(place.length() - (WIDEST_PLACE - head - 2));
    }

    private static String time(final OptionalLong ns) {
        return ns.isPresent() ? Figures.ASCII.time(ns.getAsLong()) : "n/a";
    }

    /** Width of the columns before the bar. */
    private static int used(final String place, final List<List<String>> cells) {
        int used = -GAP;
        for (int column = 0; column <= FIGURES.size(); column++) {
            final int at = column;
            final String name = column == 0 ? place : FIGURES.get(column - 1);
            used +=
                    GAP
                            + Math.max(
                                    name.length(),
                                    cells.stream()
                                            .mapToInt(row -> row.get(at).length())
                                            .max()
                                            .orElse(0));
        }
        return used;
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
