package io.tickmark.report;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What stores promised and kept, engines side by side. */
final class StoredTable {
    private static final String NONE = "n/a";

    private StoredTable() {}

    /** Whether a test went through a store. */
    static boolean isOf(final List<Block> test) {
        return test.stream()
                .flatMap(block -> block.rows().stream())
                .anyMatch(row -> row.any().counts().containsKey(Counts.ACKNOWLEDGED));
    }

    /** The promises: one row for each channel. */
    static TextTable promises(final List<Block> test) {
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("channel", true),
                                new TextTable.Column("durability", true),
                                new TextTable.Column("members", false),
                                new TextTable.Column("cores", false),
                                new TextTable.Column("acknowledged by", true),
                                new TextTable.Column("synced", true),
                                new TextTable.Column("deletion", true)),
                        1);
        for (final Block block : test) {
            block.rows().stream()
                    .findFirst()
                    .ifPresent(row ->
                            table.add(
                                    List.of(
                                            block.channel(),
                                            said(row.any(), "durability"),
                                            said(row.any(), "members"),
                                            Integer.toString(row.any().cores()),
                                            said(row.any(), "acknowledgedBy"),
                                            said(row.any(), "synced"),
                                            said(row.any(), "deletion"))));
        }
        return table;
    }

    /** What was kept: one row for each channel and step. */
    static TextTable of(final List<Block> test) {
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("channel", true),
                                new TextTable.Column("acknowledged", false),
                                new TextTable.Column("stored", false),
                                new TextTable.Column("not found", false),
                                new TextTable.Column("resent", false),
                                new TextTable.Column("max in flight", false),
                                new TextTable.Column("would block", false),
                                new TextTable.Column("stable 50% us", false),
                                new TextTable.Column("99% us", false),
                                new TextTable.Column("longest gap ms", false)),
                        1);
        for (final Block block : test) {
            block.rows().forEach(row -> table.add(cells(block, row)));
        }
        return table;
    }

    private static List<String> cells(final Block block, final MergedRow row) {
        final List<String> cells = new ArrayList<>();
        cells.add(block.channel());
        cells.add(sum(row, Counts.ACKNOWLEDGED));
        cells.add(sum(row, Counts.STORED));
        cells.add(sum(row, Counts.NOT_FOUND));
        cells.add(sum(row, Counts.RESENT));
        cells.add(Figures.count(row.max(trial -> count(trial, Counts.MAX_FLIGHT_SIZE))));
        cells.add(sum(row, Counts.WOULD_BLOCK));
        final Optional<LatencySummary> stable = row.latency(Latencies.STABLE_NS);
        cells.add(stable.map(latency -> shown(latency.p50() / 1e3)).orElse(NONE));
        cells.add(stable.map(latency -> shown(latency.p99() / 1e3)).orElse(NONE));
        cells.add(shown(row.max(trial -> count(trial, Counts.MAX_STABLE_GAP_NS)) / 1e6));
        return cells;
    }

    private static String sum(final MergedRow row, final String name) {
        return row.any().counts().containsKey(name)
                ? Figures.count(row.sum(trial -> count(trial, name)))
                : NONE;
    }

    private static long count(final TrialResult trial, final String name) {
        return trial.counts().getOrDefault(name, 0L);
    }

    private static String shown(final double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** The first role that says it: publisher and store say the same. */
    private static String said(final TrialResult trial, final String metric) {
        return trial.roles().stream()
                .map(role -> role.metrics().get(metric))
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .map(Object::toString)
                .orElse(NONE);
    }
}
