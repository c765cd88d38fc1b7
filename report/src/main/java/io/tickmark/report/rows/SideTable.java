package io.tickmark.report.rows;

import java.util.List;

/**
 * A small table beside the figures of a test, as text.
 *
 * @param title what it shows
 * @param columns names; the first two are text
 * @param rows cells, one row for each channel and step
 */
public record SideTable(String title, List<String> columns, List<List<String>> rows) {
    /** Copies the lists. */
    public SideTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * The tables that a test has.
     *
     * @param blocks of one test
     * @return rate on the wire, losses; those that have something to show
     */
    public static List<SideTable> of(final List<Block> blocks) {
        return java.util.stream.Stream.of(WireFigures.of(blocks), LossFigures.of(blocks))
                .flatMap(java.util.Optional::stream)
                .toList();
    }
}
