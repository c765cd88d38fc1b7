package io.tickmark.report.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A table in columns for a fixed-width font. Where the columns do not fit beside each other it
 * continues below, each part with the key columns again, so that nothing is cut off on a narrow
 * terminal.
 */
public final class TextTable {
    private static final String GAP = "  ";
    private static final String NARROW_GAP = " ";
    private static final int NARROWEST_KEY = 12;

    private final List<Column> columns;
    private final int keys;
    private final int together;
    private final List<List<String>> rows = new ArrayList<>();
    private final Set<Integer> faint = new HashSet<>();
    private String gap = GAP;

    /**
     * A column.
     *
     * @param name its heading
     * @param left whether it is text (flush left) and not a number (flush right)
     */
    public record Column(String name, boolean left) {}

    /**
     * A table without rows.
     *
     * @param columns from left to right
     * @param keys how many of the first columns identify a row
     */
    public TextTable(final List<Column> columns, final int keys) {
        this(columns, keys, 1);
    }

    /**
     * A table without rows, of groups of columns that stay beside each other.
     *
     * @param columns from left to right
     * @param keys how many of the first columns identify a row
     * @param together how many of the columns after the keys are a group, as a figure and its ratio
     */
    public TextTable(final List<Column> columns, final int keys, final int together) {
        this.columns = List.copyOf(columns);
        this.keys = keys;
        this.together = together;
    }

    /**
     * Columns with one space between them instead of two.
     *
     * @return this
     */
    public TextTable tight() {
        gap = NARROW_GAP;
        return this;
    }

    /**
     * Adds a row.
     *
     * @param cells one for each column
     * @return this
     */
    public TextTable add(final List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(
                    cells.size() + " cells for " + columns.size() + " columns");
        }
        rows.add(cells.stream().map(Printable::of).toList());
        return this;
    }

    /**
     * Adds a row that is less important than others.
     *
     * @param cells one for each column
     * @return this
     */
    public TextTable addFaint(final List<String> cells) {
        faint.add(rows.size());
        return add(cells);
    }

    /**
     * The table as lines.
     *
     * @param width of the terminal
     * @param ink for the heading
     * @return lines without line ends, none longer than the width, if single cells allow it
     */
    public List<String> lines(final int width, final Ink ink) {
        final int[] widths = widths(width);
        int keyWidth = 0;
        for (int column = 0; column < keys; column++) {
            keyWidth += widths[column] + gap.length();
        }
        final List<String> lines = new ArrayList<>();
        int from = keys;
        while (from < columns.size() || lines.isEmpty()) {
            int to = from;
            int used = keyWidth;
            while (to < columns.size()) {
                final int end = Math.min(to + together, columns.size());
                int next = used;
                for (int column = to; column < end; column++) {
                    next += widths[column] + gap.length();
                }
                if (to > from && next - gap.length() > width) {
                    break;
                }
                used = next;
                to = end;
            }
            part(widths, from, to, ink, lines);
            from = to;
        }
        return lines;
    }

    private void part(
            final int[] widths,
            final int from,
            final int to,
            final Ink ink,
            final List<String> lines) {
        final List<Integer> shown = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            if (column < keys || column >= from && column < to) {
                shown.add(column);
            }
        }
        lines.add(ink.strong(line(shown, widths, columns.stream().map(Column::name).toList())));
        lines.add(ink.faint(line(shown, widths, rule(widths))));
        for (int row = 0; row < rows.size(); row++) {
            final String line = line(shown, widths, rows.get(row));
            lines.add(faint.contains(row) ? ink.faint(line) : line);
        }
    }

    private String line(final List<Integer> shown, final int[] widths, final List<String> cells) {
        final StringBuilder line = new StringBuilder();
        for (final int column : shown) {
            if (!line.isEmpty()) {
                line.append(gap);
            }
            final String cell = Printable.withoutMiddle(cells.get(column), widths[column]);
            final String pad = " ".repeat(widths[column] - cell.length());
            line.append(columns.get(column).left() ? cell + pad : pad + cell);
        }
        return line.toString().stripTrailing();
    }

    private static List<String> rule(final int[] widths) {
        final List<String> rule = new ArrayList<>();
        for (final int width : widths) {
            rule.add("-".repeat(width));
        }
        return rule;
    }

    private int[] widths(final int width) {
        final int[] widths = new int[columns.size()];
        for (int column = 0; column < widths.length; column++) {
            final int at = column;
            final int widest = rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0);
            widths[column] = Math.max(columns.get(column).name().length(), widest);
        }
        final int text = (int) columns.stream().limit(keys).filter(Column::left).count();
        for (int column = 0; column < keys; column++) {
            if (columns.get(column).left()) {
                widths[column] =
                        Math.min(widths[column], Math.max(NARROWEST_KEY, width * 2 / 5 / text));
            }
        }
        return widths;
    }
}
