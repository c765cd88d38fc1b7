package io.tickmark.report.compare;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Several runs against the first on one row each: headline latency and rate, as ratios. */
final class RatioTable {
    private static final List<String> PARTS = List.of("p50", "p99", "p999");
    private static final String RATE = "achievedRatePerSecond";

    private RatioTable() {}

    /** By test and step of the first run: a table of ratios. */
    static Map<String, TextTable> of(final Comparison comparison) {
        final Map<String, List<ComparedRow>> groups = new LinkedHashMap<>();
        for (final ComparedRow row : comparison.rows()) {
            groups.computeIfAbsent(
                            CompareWords.step(row, Figures.ASCII), place -> new ArrayList<>())
                    .add(row);
        }
        final Map<String, TextTable> tables = new LinkedHashMap<>();
        groups.forEach((place, rows) -> tables.put(place, table(comparison, rows)));
        return tables;
    }

    private static TextTable table(final Comparison comparison, final List<ComparedRow> rows) {
        final List<String> names = new ArrayList<>();
        rows.stream()
                .flatMap(row -> headline(row).stream())
                .findFirst()
                .ifPresent(latency -> PARTS.forEach(part -> names.add(latency + "." + part)));
        names.add(RATE);
        names.removeIf(name -> rows.stream().noneMatch(row -> figure(row, name).isPresent()));
        final List<TextTable.Column> columns = new ArrayList<>();
        columns.add(new TextTable.Column("run", true));
        for (final String name : names) {
            columns.add(new TextTable.Column(CompareWords.head(CompareWords.figure(name)), false));
            columns.add(new TextTable.Column("ratio", false));
            columns.add(new TextTable.Column("interval", true));
        }
        final TextTable table = new TextTable(columns, 1);
        final List<String> base = new ArrayList<>();
        base.add(comparison.sides().getFirst().name());
        names.forEach(name -> base.addAll(first(rows, name)));
        table.add(base);
        for (final ComparedRow row : rows) {
            final List<String> cells = new ArrayList<>();
            cells.add(row.side());
            names.forEach(name -> cells.addAll(other(row, name)));
            table.add(cells);
        }
        return table;
    }

    private static Optional<String> headline(final ComparedRow row) {
        final List<String> names =
                row.figures().stream()
                        .map(ComparedFigure::name)
                        .filter(name -> name.contains("."))
                        .map(name -> name.substring(0, name.indexOf('.')))
                        .distinct()
                        .filter(name -> !name.equals(Latencies.SEND_NS))
                        .toList();
        return List.of(Latencies.RESPONSE_NS, Latencies.ROUND_TRIP_NS).stream()
                .filter(names::contains)
                .findFirst()
                .or(() -> names.stream().findFirst());
    }

    private static Optional<ComparedFigure> figure(final ComparedRow row, final String name) {
        return row.figures().stream().filter(figure -> figure.name().equals(name)).findFirst();
    }

    private static List<String> first(final List<ComparedRow> rows, final String name) {
        return rows.stream()
                .flatMap(row -> figure(row, name).stream())
                .findFirst()
                .map(figure ->
                        List.of(
                                CompareWords.value(figure, figure.first().value(), Figures.ASCII),
                                "1",
                                ""))
                .orElse(List.of("n/a", "", ""));
    }

    private static List<String> other(final ComparedRow row, final String name) {
        return figure(row, name)
                .map(figure ->
                        List.of(
                                CompareWords.value(figure, figure.other().value(), Figures.ASCII),
                                ratio(figure.effect()),
                                interval(figure)))
                .orElse(List.of("n/a", "", ""));
    }

    static String ratio(final double effect) {
        return String.format(Locale.ROOT, "%.3g", 1 + effect);
    }

    private static String interval(final ComparedFigure figure) {
        if (figure.low() == figure.high()) {
            return "none: one repeat";
        }
        final String bounds = ratio(figure.low()) + " .. " + ratio(figure.high());
        return figure.outcome() == Outcome.TOO_NOISY ? bounds + " (noisy)" : bounds;
    }
}
