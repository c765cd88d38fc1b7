package io.tickmark.report.series;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** A line of a role's {@code stats.csv} under the names of its columns. */
public final class StatsRow {
    private final Map<String, String> cells;

    private StatsRow(final Map<String, String> cells) {
        this.cells = cells;
    }

    /**
     * A line under a header.
     *
     * @param header names of the columns
     * @param line cells
     * @return the row; cells without a column are skipped
     */
    static StatsRow of(final List<String> header, final String line) {
        final List<String> values = split(line);
        final Map<String, String> cells = new LinkedHashMap<>();
        for (int column = 0; column < Math.min(header.size(), values.size()); column++) {
            cells.put(header.get(column), values.get(column));
        }
        return new StatsRow(cells);
    }

    /**
     * The columns of the row.
     *
     * @return names of its columns in their order
     */
    public Set<String> columns() {
        return Collections.unmodifiableSet(cells.keySet());
    }

    /**
     * A cell as text.
     *
     * @param column its name
     * @return empty text where it is missing
     */
    public String text(final String column) {
        return cells.getOrDefault(column, "");
    }

    /**
     * A cell as a number.
     *
     * @param column its name
     * @return empty where it is missing or not a number
     */
    public OptionalDouble number(final String column) {
        try {
            final double value = Double.parseDouble(text(column));
            return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
        } catch (final NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /** Splits a line of CSV (RFC 4180) that contains no line ends. */
    static List<String> split(final String line) {
        final List<String> cells = new ArrayList<>();
        final StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < line.length(); at++) {
            final char c = line.charAt(at);
            if (c == '"' && quoted && at + 1 < line.length() && line.charAt(at + 1) == '"') {
                cell.append('"');
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
