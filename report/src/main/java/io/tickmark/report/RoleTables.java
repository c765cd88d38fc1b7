package io.tickmark.report;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.RoleFigures;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the roles of a test say of themselves, a table for each kind: the median over roles and
 * repeats and the range, then what is no number.
 */
final class RoleTables {
    private RoleTables() {}

    static List<String> lines(final Block block, final int width, final Ink ink) {
        final Map<String, List<RoleFigures>> byRole = new LinkedHashMap<>();
        RoleFigures.of(block)
                .forEach(figures ->
                        byRole.computeIfAbsent(figures.role(), role -> new ArrayList<>())
                                .add(figures));
        final List<String> lines = new ArrayList<>();
        byRole.forEach((role, figures) -> {
            final List<RoleFigures> numbers =
                    figures.stream().filter(RoleFigures::isNumber).toList();
            if (!numbers.isEmpty()) {
                lines.add("");
                lines.addAll(table(role, numbers).lines(width, ink));
            }
            figures.stream()
                    .filter(each -> !each.isNumber())
                    .forEach(each ->
                            lines.addAll(
                                    Paragraph.lines(
                                            Printable.of(each.metric() + ": " + each.text()),
                                            width,
                                            "",
                                            "  ")));
        });
        return lines;
    }

    private static TextTable table(final String role, final List<RoleFigures> numbers) {
        final boolean several = numbers.stream().anyMatch(each -> each.values().size() > 1);
        final List<TextTable.Column> columns = new ArrayList<>();
        columns.add(new TextTable.Column(role, true));
        columns.add(new TextTable.Column(several ? "median" : "value", false));
        if (several) {
            columns.add(new TextTable.Column("min", false));
            columns.add(new TextTable.Column("max", false));
        }
        final TextTable table = new TextTable(columns, 1);
        for (final RoleFigures each : numbers) {
            final Aggregate.Spread spread = each.spread();
            table.add(
                    several
                            ? List.of(
                                    each.metric(),
                                    number(spread.median()),
                                    number(spread.min()),
                                    number(spread.max()))
                            : List.of(each.metric(), number(spread.median())));
        }
        return table;
    }

    private static String number(final double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Figures.count((long) value)
                : Figures.digits(value);
    }
}
