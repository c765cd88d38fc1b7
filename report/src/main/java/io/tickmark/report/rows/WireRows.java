package io.tickmark.report.rows;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.stats.Summaries;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The rate of a test's messages on the network. */
final class WireRows {
    private static final String LOOPBACK = "lo";
    private static final double BITS_PER_MEGABIT = 1e6;

    private WireRows() {}

    /** A table of one test; empty where no role reported a network. */
    static Optional<SideTable> of(final List<Block> blocks) {
        final List<List<String>> rows = new ArrayList<>();
        boolean loopback = false;
        for (final Block block : blocks) {
            for (final MergedRow row : block.rows()) {
                final Map<String, Object> link = link(row);
                final long bytes = row.sum(trial -> count(trial, Counts.WIRE_BYTES));
                if (bytes > 0 && !link.isEmpty()) {
                    rows.add(cells(block, row, link));
                    loopback |= LOOPBACK.equals(link.get("link"));
                }
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new SideTable(
                                "On the wire, headers, frames and gaps included"
                                        + (loopback
                                                ? " (the loopback has no link speed; counted as on Ethernet)"
                                                : ""),
                                2,
                                2,
                                List.of(
                                        "channel",
                                        "step",
                                        "bytes/message",
                                        "frames/message",
                                        "Mbit/s",
                                        "link Mbit/s",
                                        "of the link"),
                                rows));
    }

    private static List<String> cells(
            final Block block, final MergedRow row, final Map<String, Object> link) {
        final String least = Boolean.TRUE.equals(link.get("wireBytesAreLeast")) ? ">= " : "";
        final double sent = Math.max(1, row.sum(WireRows::onTheWire));
        final double bitsPerSecond =
                Summaries.median(
                        row.repeats().stream().mapToDouble(WireRows::bitsPerSecond).toArray());
        final double speed =
                link.get("linkBitsPerSecond") instanceof final Number number
                        ? number.doubleValue()
                        : 0;
        final String name = Printable.of(String.valueOf(link.get("link")));
        return List.of(
                Printable.of(block.channel()),
                block.stepName(row, Figures.ASCII),
                least + digits(row.sum(trial -> count(trial, Counts.WIRE_BYTES)) / sent),
                least + digits(row.sum(trial -> count(trial, Counts.WIRE_FRAMES)) / sent),
                least + digits(bitsPerSecond / BITS_PER_MEGABIT),
                name + " " + (speed > 0 ? digits(speed / BITS_PER_MEGABIT) : "unknown"),
                speed > 0 ? least + digits(100 * bitsPerSecond / speed) + " %" : "unknown");
    }

    private static Map<String, Object> link(final MergedRow row) {
        return row.repeats().stream()
                .map(TrialResult::roles)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .map(RoleSummary::metrics)
                .filter(metrics -> metrics.containsKey("link"))
                .findFirst()
                .orElse(Map.of());
    }

    /** What a publisher lost on purpose was counted as sent, and never reached the network. */
    private static long onTheWire(final TrialResult trial) {
        return trial.sent() - count(trial, Counts.LOST_ON_PURPOSE);
    }

    private static long count(final TrialResult trial, final String name) {
        return trial.counts().getOrDefault(name, 0L);
    }

    private static double bitsPerSecond(final TrialResult trial) {
        return trial.durationNs() == 0
                ? 0
                : count(trial, Counts.WIRE_BYTES) * 8e9 / trial.durationNs();
    }

    private static String digits(final double value) {
        return value >= 100
                ? Figures.count(Math.round(value))
                : String.format(Locale.ROOT, "%.3g", value);
    }
}
