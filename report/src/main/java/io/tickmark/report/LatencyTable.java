package io.tickmark.report;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.rows.LatencyColumn;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.TailFigures;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One latency of one test and channel in the columns that are usual in this field. */
final class LatencyTable {
    private static final double NS_PER_US = 1e3;
    private static final String MARK =
            "! More than a tenth of the latency above the median is the machine's there.";

    private static final List<LatencyColumn> PRINTED =
            LatencyColumn.ALL.stream().filter(LatencyColumn::isPrinted).toList();

    private LatencyTable() {}

    /**
     * The table.
     *
     * @param rows of one test and channel
     * @param name of the latency
     * @return empty where no row has it
     */
    static Optional<TextTable> of(final List<MergedRow> rows, final String name) {
        final List<MergedRow> shown =
                rows.stream().filter(row -> row.latency(name).isPresent()).toList();
        if (shown.isEmpty()) {
            return Optional.empty();
        }
        // rows that differ only in rate need the rate to be distinguished
        final boolean rates =
                shown.stream().mapToDouble(LatencyTable::offered).distinct().count() > 1;
        final boolean labels = shown.stream().anyMatch(row -> !row.any().label().isEmpty());
        final TextTable table = new TextTable(columns(labels, rates), rates ? 2 : 1);
        final int decimals = decimals(shown, name);
        for (final MergedRow row : shown) {
            final List<String> cells = new ArrayList<>();
            cells.add(labels ? row.any().label() : bytes(row.any().payloadBytes()));
            if (rates) {
                cells.add(Figures.count(Math.round(offered(row))));
            }
            final boolean isExamined = row.headline().filter(name::equals).isPresent();
            cells.addAll(
                    cells(
                            row.latency(name).orElseThrow(),
                            decimals,
                            isExamined ? TailFigures.disturbed(row) : List.of()));
            table.add(cells);
        }
        return Optional.of(table);
    }

    /** There is no length to show for messages of various lengths, or for none. */
    private static String bytes(final int payloadBytes) {
        return payloadBytes == 0 ? "" : Integer.toString(payloadBytes);
    }

    private static double offered(final MergedRow row) {
        return row.median(TrialResult::offeredRatePerSecond);
    }

    private static List<TextTable.Column> columns(final boolean labels, final boolean rates) {
        final List<TextTable.Column> columns = new ArrayList<>();
        columns.add(new TextTable.Column(labels ? "step" : "bytes", labels));
        if (rates) {
            columns.add(new TextTable.Column("offered/s", false));
        }
        for (final LatencyColumn column : PRINTED) {
            columns.add(new TextTable.Column(column.title().replace(" ", "") + " us", false));
        }
        return columns;
    }

    /** Figures that the machine disturbed have a mark, which {@link #MARK} explains. */
    private static List<String> cells(
            final LatencySummary latency, final int decimals, final List<Double> disturbed) {
        final List<String> cells = new ArrayList<>();
        for (final LatencyColumn column : PRINTED) {
            cells.add(
                    cell(
                            column.figure().applyAsDouble(latency),
                            decimals,
                            disturbed.contains(column.band())));
        }
        return cells;
    }

    private static String cell(final double ns, final int decimals, final boolean isDisturbed) {
        return Double.isNaN(ns)
                ? "n/a"
                : String.format(Locale.ROOT, "%." + decimals + "f", ns / NS_PER_US)
                        + (isDisturbed ? "!" : "");
    }

    /**
     * What the mark means.
     *
     * @param rows of one test and channel
     * @param name of the latency
     * @return a sentence; empty where no figure has it
     */
    static Optional<String> mark(final List<MergedRow> rows, final String name) {
        return rows.stream()
                        .filter(row -> row.headline().filter(name::equals).isPresent())
                        .allMatch(row -> TailFigures.disturbed(row).isEmpty())
                ? Optional.empty()
                : Optional.of(MARK);
    }

    /** As many decimals as the smallest time needs for three digits. */
    private static int decimals(final List<MergedRow> rows, final String name) {
        final long smallest =
                rows.stream()
                        .mapToLong(row -> row.latency(name).orElseThrow().min())
                        .min()
                        .orElse(0);
        return smallest < 1_000 ? 3 : smallest < 100_000 ? 2 : 1;
    }
}
