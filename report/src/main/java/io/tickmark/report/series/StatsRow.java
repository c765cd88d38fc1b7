package io.tickmark.report.series;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;

/** A line of a role's {@code stats.csv} under the names of its columns. */
public final class StatsRow {
    private static final long MAX_BYTES = 256L << 20;
    private static final String HEADER = "time,";

    private final Map<String, String> cells;

    private StatsRow(final Map<String, String> cells) {
        this.cells = cells;
    }

    /**
     * Reads a role's {@code stats.csv}; invalid lines are skipped.
     *
     * @param file to read
     * @param each receives the rows one by one
     * @return what is wrong with the file, as a clause; empty where it is intact
     */
    public static Optional<String> read(final Path file, final Consumer<StatsRow> each) {
        try {
            if (!Files.isRegularFile(file)) {
                return Optional.of("is missing");
            }
            if (Files.size(file) > MAX_BYTES) {
                return Optional.of("is larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            // every byte is a character of Latin-1, so that a torn line does not end the reading
            try (BufferedReader lines =
                    Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
                List<String> header = List.of();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(HEADER)) {
                        header = split(line);
                    } else if (!header.isEmpty()) {
                        each.accept(of(header, line));
                    }
                }
            }
            return Optional.empty();
        } catch (final IOException e) {
            return Optional.of("cannot be read (" + e.getClass().getSimpleName() + ")");
        }
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
