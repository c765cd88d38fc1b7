package io.tickmark.report.rows;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** All rows of a run as a table without merging: one line for each step of each repeat. */
public final class RunCsv {
    private static final List<String> LATENCIES =
            List.of(
                    Latencies.ROUND_TRIP_NS,
                    Latencies.RESPONSE_NS,
                    Latencies.SERVICE_NS,
                    Latencies.SEND_NS);
    private static final String UNIT = "Ns";
    private static final List<String> FIGURES =
            List.of("min", "mean", "stdev", "p50", "p90", "p99", "p999", "p9999", "max");

    private RunCsv() {}

    /**
     * Names of the columns, units in the names; the same first ones for every run, then those of
     * latencies that only some workloads have.
     *
     * @param run any result
     * @return from left to right
     */
    public static List<String> columns(final RunResult run) {
        final List<String> columns =
                new ArrayList<>(
                        List.of(
                                "test",
                                "workload",
                                "channel",
                                "repeat",
                                "step",
                                "label",
                                "payloadBytes",
                                "subscribers",
                                "sent",
                                "expected",
                                "received",
                                "lost",
                                "duplicated",
                                "reordered",
                                "durationNs",
                                "offeredRatePerSecond",
                                "achievedRatePerSecond",
                                "maxTightSends",
                                "hotThreads",
                                "cores",
                                "noiseMaxNs",
                                "verdict",
                                "labels"));
        for (final String latency : latencies(run)) {
            final String stem =
                    latency.endsWith(UNIT)
                            ? latency.substring(0, latency.length() - UNIT.length())
                            : latency;
            columns.add(stem + "Count");
            FIGURES.forEach(figure -> columns.add(stem + capital(figure) + UNIT));
        }
        return columns;
    }

    private static List<String> latencies(final RunResult run) {
        final Set<String> names = new LinkedHashSet<>(LATENCIES);
        run.trials().forEach(trial -> names.addAll(trial.latencies().keySet()));
        return List.copyOf(names);
    }

    /**
     * The rows; numbers as {@link Number}, values that do not apply as empty text.
     *
     * @param run any result
     * @return for each trial of the run one cell for each column
     */
    public static List<List<Object>> rows(final RunResult run) {
        final List<String> latencies = latencies(run);
        return run.trials().stream().map(trial -> cells(trial, latencies)).toList();
    }

    private static List<Object> cells(final TrialResult trial, final List<String> latencies) {
        final List<Object> cells =
                new ArrayList<>(
                        List.of(
                                trial.test(),
                                trial.workload(),
                                trial.channel(),
                                trial.repeat(),
                                trial.step(),
                                trial.label(),
                                trial.payloadBytes(),
                                trial.subscribers(),
                                trial.sent(),
                                trial.expected(),
                                trial.received(),
                                trial.lost(),
                                trial.duplicated(),
                                trial.reordered(),
                                trial.durationNs(),
                                trial.offeredRatePerSecond(),
                                trial.achievedRatePerSecond(),
                                trial.maxTightSends(),
                                trial.hotThreads(),
                                trial.cores(),
                                noise(trial),
                                trial.verdict().name().toLowerCase(Locale.ROOT),
                                String.join(" ", trial.labels())));
        latencies.forEach(name -> add(cells, trial.latency(name)));
        return cells;
    }

    private static Object noise(final TrialResult trial) {
        final NoiseSummary before = trial.noiseBefore();
        final NoiseSummary after = trial.noiseAfter();
        if (before == null && after == null) {
            return "";
        }
        return Math.max(before == null ? 0 : before.maxNs(), after == null ? 0 : after.maxNs());
    }

    private static void add(final List<Object> cells, final Optional<LatencySummary> measured) {
        if (measured.isEmpty()) {
            for (int column = 0; column <= FIGURES.size(); column++) {
                cells.add("");
            }
            return;
        }
        final LatencySummary latency = measured.get();
        cells.addAll(
                List.of(
                        latency.count(),
                        latency.min(),
                        latency.mean(),
                        latency.stdev(),
                        orBlank(latency.p50()),
                        orBlank(latency.p90()),
                        orBlank(latency.p99()),
                        orBlank(latency.p999()),
                        orBlank(latency.p9999()),
                        latency.max()));
    }

    private static Object orBlank(final OptionalLong ns) {
        return ns.isPresent() ? (Object) ns.getAsLong() : "";
    }

    /**
     * The run as CSV (RFC 4180, lines end with LF).
     *
     * @param run any result
     * @return one header, then the rows
     */
    public static String of(final RunResult run) {
        final StringBuilder csv =
                new StringBuilder(
                                columns(run).stream()
                                        .map(RunCsv::quoted)
                                        .collect(Collectors.joining(",")))
                        .append('\n');
        for (final List<Object> row : rows(run)) {
            csv.append(row.stream().map(RunCsv::quoted).collect(Collectors.joining(",")))
                    .append('\n');
        }
        return csv.toString();
    }

    private static String quoted(final Object cell) {
        if (cell instanceof Double number) {
            return String.format(Locale.ROOT, "%.3f", number);
        }
        final String text = cell.toString();
        return text.chars().anyMatch(c -> ",\"\n\r".indexOf(c) >= 0)
                ? '"' + text.replace("\"", "\"\"") + '"'
                : text;
    }

    private static String capital(final String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
