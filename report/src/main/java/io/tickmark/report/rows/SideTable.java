package io.tickmark.report.rows;

import java.util.List;
import java.util.stream.Stream;

/**
 * A small table beside other figures, as text.
 *
 * @param title what it shows
 * @param keys how many of the first columns tell the rows apart
 * @param texts how many of the first columns are text; the others are numbers
 * @param columns names
 * @param rows cells
 */
public record SideTable(
        String title, int keys, int texts, List<String> columns, List<List<String>> rows) {
    /** Copies the lists. */
    public SideTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * The tables that a test has.
     *
     * @param blocks of one test
     * @return stores, planned faults, rate on the wire, losses, what delayed the slowest; those
     *     that have something to show
     */
    public static List<SideTable> of(final List<Block> blocks) {
        return Stream.of(
                        StoredFigures.of(blocks).stream(),
                        FaultFigures.of(blocks).stream(),
                        WireRows.of(blocks).stream(),
                        LossFigures.of(blocks).stream(),
                        TailFigures.of(blocks).stream())
                .flatMap(tables -> tables)
                .toList();
    }
}
