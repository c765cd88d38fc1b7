package io.tickmark.kernel.role;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.StepResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Writes {@link RoleFiles#SUMMARY}: the inputs and the results of a role, for a reader. */
public final class SummaryFile {
    private SummaryFile() {}

    /**
     * Appends the summary of one trial; several repeats share a file.
     *
     * @param directory the role's folder
     * @param title such as {@code latency-pub 1, repeat 2}
     * @param settings the role's inputs, as {@link io.tickmark.kernel.settings.Settings#toMap}
     *     returns them
     * @param result of the role
     * @throws IOException if the file cannot be written
     */
    public static void append(
            final Path directory,
            final String title,
            final Map<String, Object> settings,
            final RoleResult result)
            throws IOException {
        Files.writeString(
                directory.resolve(RoleFiles.SUMMARY),
                SummaryText.of(title, settings, result),
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** The text of a summary: inputs, then each step's counts, rates and latencies in columns. */
    private static final class SummaryText {
        private static final double NS_PER_S = 1e9;
        private static final double NS_PER_US = 1e3;
        private static final List<String> LATENCY_HEAD =
                List.of(
                        "latency in us",
                        "count",
                        "min",
                        "mean",
                        "stdev",
                        "p50",
                        "p90",
                        "p99",
                        "p99.9",
                        "p99.99",
                        "max");

        private final StringBuilder text = new StringBuilder();

        private SummaryText() {}

        static String of(
                final String title, final Map<String, Object> settings, final RoleResult result) {
            final SummaryText summary = new SummaryText();
            summary.line(title);
            summary.line("=".repeat(title.length()));
            summary.line("");
            summary.values("Settings", settings);
            result.steps().forEach(summary::step);
            summary.values("Metrics", result.metrics());
            summary.sentences("Warnings", result.warnings());
            if (!result.failure().isEmpty()) {
                summary.sentences("Failure", List.of(result.failure()));
            }
            return summary.text.toString();
        }

        private void values(final String head, final Map<String, ?> values) {
            if (values.isEmpty()) {
                return;
            }
            line(head);
            final List<List<String>> rows = new ArrayList<>();
            values.forEach((name, value) -> rows.add(List.of(name, shown(value))));
            columns(rows, false);
        }

        private void step(final StepResult step) {
            line(
                    "Step %d: %d bytes, %s s"
                            .formatted(
                                    step.step(),
                                    step.payloadBytes(),
                                    shown(step.durationNs() / NS_PER_S)));
            final List<List<String>> figures = new ArrayList<>();
            step.counts().forEach((name, count) -> figures.add(List.of(name, shown(count), "")));
            rate(figures, "offeredRatePerSecond", step.offeredRatePerSecond());
            rate(figures, "achievedRatePerSecond", step.achievedRatePerSecond());
            columns(figures, true);
            if (!step.latencies().isEmpty()) {
                final List<List<String>> rows = new ArrayList<>();
                rows.add(LATENCY_HEAD);
                step.latencies().forEach((name, latency) -> rows.add(latencyRow(name, latency)));
                columns(rows, true);
            }
            sentences("Reasons", step.reasons());
        }

        private static void rate(
                final List<List<String>> figures, final String name, final double ratePerSecond) {
            if (ratePerSecond > 0) {
                figures.add(List.of(name, shown(ratePerSecond), "msg/s"));
            }
        }

        private static List<String> latencyRow(final String name, final Histogram latency) {
            if (latency.getTotalCount() == 0) {
                return List.of(name, "0", "", "", "", "", "", "", "", "", "");
            }
            final LatencySummary figures = LatencySummary.of(latency);
            return List.of(
                    name,
                    Long.toString(figures.count()),
                    us(figures.min()),
                    us(figures.mean()),
                    us(figures.stdev()),
                    usOrBlank(figures.p50()),
                    usOrBlank(figures.p90()),
                    usOrBlank(figures.p99()),
                    usOrBlank(figures.p999()),
                    usOrBlank(figures.p9999()),
                    us(figures.max()));
        }

        /** Blank where there are too few latencies above it. */
        private static String usOrBlank(final OptionalLong ns) {
            return ns.isPresent() ? us(ns.getAsLong()) : "";
        }

        private static String us(final double ns) {
            return String.format(Locale.ROOT, "%.3f", ns / NS_PER_US);
        }

        private static String shown(final Object value) {
            return value instanceof final Double number
                    ? String.format(Locale.ROOT, "%.3f", number)
                    : String.valueOf(value);
        }

        private void sentences(final String head, final List<String> sentences) {
            if (sentences.isEmpty()) {
                return;
            }
            line(head);
            sentences.forEach(sentence -> line("  " + sentence));
            line("");
        }

        /**
         * Indented columns, the first left-aligned, the others right-aligned where they are
         * figures.
         */
        private void columns(final List<List<String>> rows, final boolean areFigures) {
            final int[] widths = new int[rows.isEmpty() ? 0 : rows.get(0).size()];
            for (final List<String> row : rows) {
                for (int i = 0; i < widths.length; i++) {
                    widths[i] = Math.max(widths[i], row.get(i).length());
                }
            }
            for (final List<String> row : rows) {
                final StringBuilder line = new StringBuilder();
                for (int i = 0; i < widths.length; i++) {
                    final String padding = " ".repeat(widths[i] - row.get(i).length());
                    final boolean toTheRight = areFigures && i > 0;
                    line.append("  ")
                            .append(toTheRight ? padding + row.get(i) : row.get(i) + padding);
                }
                line(line.toString().stripTrailing());
            }
            line("");
        }

        private void line(final String line) {
            text.append(line).append('\n');
        }
    }
}
