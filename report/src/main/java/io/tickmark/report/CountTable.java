package io.tickmark.report;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.Sides;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** What was sent and received in each step of a workload of any kind. */
final class CountTable {
    private static final double NS_PER_S = 1e9;

    /** A column that is left out where no row has anything to say in it. */
    private record Figure(
            String name, Predicate<MergedRow> said, Function<MergedRow, String> text) {}

    private static final List<Figure> FIGURES =
            List.of(
                    new Figure(
                            "seconds",
                            row -> row.any().durationNs() > 0,
                            row -> Figures.digits(row.median(TrialResult::durationNs) / NS_PER_S)),
                    new Figure(
                            "offered/s",
                            row -> row.any().offeredRatePerSecond() > 0,
                            row -> whole(row.median(TrialResult::offeredRatePerSecond))),
                    new Figure(
                            "achieved/s",
                            row -> row.any().achievedRatePerSecond() > 0,
                            row -> whole(row.median(TrialResult::achievedRatePerSecond))),
                    counted("sent", TrialResult::sent),
                    new Figure(
                            "expected",
                            CountTable::isLossKnown,
                            row -> Figures.count(row.sum(TrialResult::expected))),
                    counted("received", TrialResult::received),
                    new Figure(
                            "lost",
                            CountTable::isLossKnown,
                            row -> Figures.count(row.sum(TrialResult::lost))),
                    counted("duplicated", TrialResult::duplicated),
                    counted("reordered", TrialResult::reordered));

    private CountTable() {}

    private static Figure counted(
            final String name, final java.util.function.ToLongFunction<TrialResult> count) {
        return new Figure(name, row -> row.sum(count) > 0, row -> Figures.count(row.sum(count)));
    }

    /** Where no receiver has said anything, nobody has looked what was lost. */
    private static boolean isLossKnown(final MergedRow row) {
        return Sides.isReceiverKnown(row.any()) && row.any().expected() > 0;
    }

    private static String whole(final double perSecond) {
        return Figures.count(Math.round(perSecond));
    }

    /**
     * One row for each step.
     *
     * @param block test and channel
     * @return the table
     */
    static TextTable of(final Block block) {
        final List<Figure> shown =
                FIGURES.stream()
                        .filter(figure -> block.rows().stream().anyMatch(figure.said()))
                        .toList();
        final List<TextTable.Column> columns = new ArrayList<>();
        columns.add(new TextTable.Column("step", true));
        shown.forEach(figure -> columns.add(new TextTable.Column(figure.name(), false)));
        final TextTable table = new TextTable(columns, 1);
        for (final MergedRow row : block.rows()) {
            final List<String> cells = new ArrayList<>();
            final String name = block.stepName(row, Figures.ASCII);
            cells.add(name.isEmpty() ? "all" : name);
            shown.forEach(
                    figure -> cells.add(figure.said().test(row) ? figure.text().apply(row) : "0"));
            table.add(cells);
        }
        return table;
    }
}
