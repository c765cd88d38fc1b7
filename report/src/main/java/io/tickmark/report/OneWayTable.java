package io.tickmark.report;

import io.tickmark.report.rows.OneWayFigures;
import io.tickmark.report.text.TextTable;
import java.util.List;
import java.util.Locale;

/** Derived one-way latencies, means and medians. */
final class OneWayTable {
    private static final double NS_PER_US = 1e3;

    private OneWayTable() {}

    static TextTable of(final OneWayFigures figures) {
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("bytes", false),
                                new TextTable.Column("ave us", false),
                                new TextTable.Column("50% us", false)),
                        1);
        for (final OneWayFigures.Step step : figures.steps()) {
            table.add(
                    List.of(
                            Integer.toString(step.payloadBytes()),
                            micros(step.meanNs()),
                            micros(step.p50Ns())));
        }
        return table;
    }

    private static String micros(final double ns) {
        return String.format(Locale.ROOT, "%.3f", ns / NS_PER_US);
    }
}
