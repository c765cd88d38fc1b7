package io.tickmark.report;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.report.rows.Block;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Figures that a role knows before it measures them, as in a calibration: metrics that come in
 * pairs, {@code <name>.programmed} with {@code <name>.measured}, or both ending in {@code Ns}.
 */
final class ProgrammedTable {
    private static final String PROGRAMMED = ".programmed";
    private static final String MEASURED = ".measured";
    private static final double NS_PER_US = 1e3;

    private ProgrammedTable() {}

    /**
     * One row for each pair; of several repeats the last.
     *
     * @param block of a test
     * @return the table, empty where no role has such pairs
     */
    static Optional<TextTable> of(final Block block) {
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("figure", true),
                                new TextTable.Column("programmed", false),
                                new TextTable.Column("measured", false),
                                new TextTable.Column("off", false)),
                        1);
        boolean found = false;
        if (!block.rows().isEmpty()) {
            final TrialResult row = block.rows().getFirst().any();
            for (final RoleSummary role : row.roles()) {
                for (final String name : role.metrics().keySet()) {
                    found |= add(table, role, name);
                }
            }
        }
        return found ? Optional.of(table) : Optional.empty();
    }

    private static boolean add(final TextTable table, final RoleSummary role, final String name) {
        final int at = name.lastIndexOf(PROGRAMMED);
        if (at < 1) {
            return false;
        }
        final String unit = name.substring(at + PROGRAMMED.length());
        final String figure = name.substring(0, at);
        if (!(role.metrics().get(name) instanceof final Number programmed)
                || !(role.metrics().get(figure + MEASURED + unit)
                        instanceof final Number measured)) {
            return false;
        }
        final boolean isTime = unit.equals("Ns");
        table.add(
                List.of(
                        isTime ? figure + " us" : figure,
                        text(programmed, isTime),
                        text(measured, isTime),
                        off(programmed.doubleValue(), measured.doubleValue())));
        return true;
    }

    private static String text(final Number value, final boolean isTime) {
        return isTime
                ? String.format(Locale.ROOT, "%.2f", value.doubleValue() / NS_PER_US)
                : Figures.count(value.longValue());
    }

    private static String off(final double programmed, final double measured) {
        if (programmed == measured) {
            return "0";
        }
        return programmed == 0
                ? "n/a"
                : String.format(Locale.ROOT, "%+.2f%%", (measured / programmed - 1) * 100);
    }
}
