package io.tickmark.report.rows;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The guarantees of stores and how they kept them, engines side by side. */
public final class StoredFigures {
    static final String NONE = "n/a";
    static final String STORE = "store";

    private StoredFigures() {}

    /** Two tables of a test, the guarantees and the outcome; none without a store. */
    static List<SideTable> of(final List<Block> test) {
        final boolean isStored =
                test.stream()
                        .flatMap(block -> block.rows().stream())
                        .anyMatch(row -> row.any().counts().containsKey(Counts.ACKNOWLEDGED));
        return isStored ? List.of(promises(test), kept(test)) : List.of();
    }

    private static SideTable promises(final List<Block> test) {
        final List<List<String>> rows = new ArrayList<>();
        for (final Block block : test) {
            block.rows().stream()
                    .findFirst()
                    .map(MergedRow::any)
                    .ifPresent(trial ->
                            rows.add(
                                    List.of(
                                            Printable.of(block.channel()),
                                            said(trial, "durability"),
                                            said(trial, "acknowledgedBy"),
                                            said(trial, "synced"),
                                            said(trial, "batching"),
                                            said(trial, "compression"),
                                            said(trial, "deletion"),
                                            Long.toString(stores(trial)),
                                            said(trial, "members"),
                                            Integer.toString(trial.cores()))));
        }
        return new SideTable(
                "What the stores promise",
                1,
                7,
                List.of(
                        "channel",
                        "durability",
                        "acknowledged by",
                        "synced",
                        "batching",
                        "compression",
                        "deletion",
                        "stores",
                        "members of each",
                        "cores"),
                rows);
    }

    private static SideTable kept(final List<Block> test) {
        return new SideTable(
                "What the stores kept",
                1,
                1,
                List.of(
                        "channel",
                        "acknowledged",
                        "stored",
                        "not found",
                        "not verified",
                        "resent",
                        "max in flight",
                        "would block",
                        "stable 50% us",
                        "99% us",
                        "longest gap ms"),
                test.stream()
                        .flatMap(block -> block.rows().stream().map(row -> cells(block, row)))
                        .toList());
    }

    private static List<String> cells(final Block block, final MergedRow row) {
        final Optional<LatencySummary> stable = row.latency(Latencies.STABLE_NS);
        return List.of(
                Printable.of(block.channel()),
                sum(row, Counts.ACKNOWLEDGED),
                sum(row, Counts.STORED),
                sum(row, Counts.NOT_FOUND),
                sum(row, Counts.NOT_VERIFIED),
                sum(row, Counts.RESENT),
                Figures.count(row.max(trial -> count(trial, Counts.MAX_FLIGHT_SIZE))),
                sum(row, Counts.WOULD_BLOCK),
                usOrNone(stable.map(LatencySummary::p50)),
                usOrNone(stable.map(LatencySummary::p99)),
                shown(row.max(trial -> count(trial, Counts.MAX_STABLE_GAP_NS)) / 1e6));
    }

    private static String usOrNone(final Optional<OptionalLong> ns) {
        return ns.filter(OptionalLong::isPresent)
                .map(each -> shown(each.getAsLong() / 1e3))
                .orElse(NONE);
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

    /** How many stores a trial had, each of one or several members. */
    static long stores(final TrialResult trial) {
        return trial.roles().stream().filter(role -> role.role().equals(STORE)).count();
    }

    /** What is reported of it, for a cell. */
    static String said(final TrialResult trial, final String metric) {
        return reported(trial, metric).map(Printable::of).orElse(NONE);
    }

    /**
     * What the first role that reports it says of a store. Those that use a store come before the
     * store itself: of a server that somebody else set up, they asked for its settings, and the
     * store's role repeats what the channel says.
     *
     * @param trial with what its roles reported
     * @param metric a guarantee, as roles name it
     * @return its words as they were reported; empty where no role says anything of it
     */
    public static Optional<String> reported(final TrialResult trial, final String metric) {
        return trial.roles().stream()
                .sorted(Comparator.comparing(role -> role.role().equals(STORE)))
                .map(role -> role.metrics().get(metric))
                .filter(Objects::nonNull)
                .findFirst()
                .map(Object::toString);
    }
}
