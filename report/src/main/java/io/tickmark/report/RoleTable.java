package io.tickmark.report;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.RoleFigures;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.TextTable;
import java.util.List;
import java.util.Optional;

/** What the roles of a test say of themselves: the median over roles and repeats, and the range. */
final class RoleTable {
    private RoleTable() {}

    /**
     * One row for each figure of each kind of role.
     *
     * @param block test and channel
     * @return the table, empty where no role said anything
     */
    static Optional<TextTable> of(final Block block) {
        final List<RoleFigures> all = RoleFigures.of(block);
        if (all.isEmpty()) {
            return Optional.empty();
        }
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("role", true),
                                new TextTable.Column("figure", true),
                                new TextTable.Column("value", false),
                                new TextTable.Column("min", false),
                                new TextTable.Column("max", false)),
                        2);
        all.forEach(each -> table.add(cells(each)));
        return Optional.of(table);
    }

    private static List<String> cells(final RoleFigures figures) {
        if (!figures.isNumber()) {
            return List.of(figures.role(), figures.metric(), figures.text(), "", "");
        }
        final Aggregate.Spread spread = figures.spread();
        final boolean several = figures.values().size() > 1;
        return List.of(
                figures.role(),
                figures.metric(),
                number(spread.median()),
                several ? number(spread.min()) : "",
                several ? number(spread.max()) : "");
    }

    private static String number(final double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Figures.count((long) value)
                : Figures.digits(value);
    }
}
