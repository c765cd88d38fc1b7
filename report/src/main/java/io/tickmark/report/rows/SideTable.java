package io.tickmark.report.rows;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A small table in addition to other figures, as text.
 *
 * @param title what it shows
 * @param keys how many of the first columns identify a row
 * @param texts how many of the first columns are text; the others are numbers
 * @param columns names
 * @param rows cells
 * @param pictures the same as stacked bars, for pages; empty for most tables
 */
public record SideTable(
        String title,
        int keys,
        int texts,
        List<String> columns,
        List<List<String>> rows,
        List<Stack> pictures) {
    /** Copies the lists. */
    public SideTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        pictures = List.copyOf(pictures);
    }

    /**
     * Without pictures.
     *
     * @param title what it shows
     * @param keys how many of the first columns tell the rows apart
     * @param texts how many of the first columns are text
     * @param columns names
     * @param rows cells
     */
    public SideTable(
            final String title,
            final int keys,
            final int texts,
            final List<String> columns,
            final List<List<String>> rows) {
        this(title, keys, texts, columns, rows, List.of());
    }

    /**
     * The same as a table of text.
     *
     * @return with its rows, without its title
     */
    public TextTable text() {
        final List<TextTable.Column> described = new ArrayList<>();
        for (final String column : columns) {
            described.add(new TextTable.Column(column, described.size() < texts));
        }
        final TextTable table = new TextTable(described, keys);
        rows.forEach(table::add);
        return table;
    }

    /**
     * A time and the parts that add up to it.
     *
     * @param name whose
     * @param parts in their order
     */
    public record Stack(String name, List<Part> parts) {
        /** Copies the list. */
        public Stack {
            parts = List.copyOf(parts);
        }
    }

    /**
     * A part of a time.
     *
     * @param name the same in all bars of a table
     * @param ns how long
     */
    public record Part(String name, double ns) {}

    /**
     * The tables that a test has.
     *
     * @param blocks of one test
     * @return stores, planned faults, rate on the wire, losses, what delayed the slowest; without
     *     empty ones
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

    /** How long it took, after each planned fault, until messages were delivered again. */
    private static final class FaultFigures {
        private FaultFigures() {}

        /** A row for each fault of each trial; none where no fault interrupted anything. */
        static Optional<SideTable> of(final List<Block> blocks) {
            final List<List<String>> rows = new ArrayList<>();
            for (final Block block : blocks) {
                block.rows().stream()
                        .flatMap(row -> row.repeats().stream())
                        .filter(trial -> trial.step() == 0) // roles are the same in all steps
                        .forEach(trial -> add(block, trial, rows));
            }
            return rows.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new SideTable(
                                    "After planned faults",
                                    3,
                                    4,
                                    List.of(
                                            "channel",
                                            "repeat",
                                            "role",
                                            "fault",
                                            "delivered again"),
                                    rows));
        }

        private static void add(
                final Block block, final TrialResult trial, final List<List<String>> rows) {
            for (final RoleSummary role : trial.roles()) {
                if (role.metrics().get(RoleSummary.RECOVERIES) instanceof final String recoveries) {
                    for (final String each : recoveries.split("; ")) {
                        final int colon = each.lastIndexOf(": ");
                        rows.add(
                                List.of(
                                        Printable.of(block.channel()),
                                        Integer.toString(trial.repeat()),
                                        Printable.of(role.role() + "-" + role.index()),
                                        Printable.of(each.substring(0, Math.max(0, colon))),
                                        Printable.of(each.substring(colon < 0 ? 0 : colon + 2))));
                    }
                }
            }
        }
    }
}
