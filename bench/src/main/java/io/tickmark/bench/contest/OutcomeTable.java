package io.tickmark.bench.contest;

import io.tickmark.bench.contest.LatencyRow.Part;
import io.tickmark.kernel.result.Aggregate.Spread;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Outcomes as a Markdown table; a missing measurement is listed with its reason below. */
public final class OutcomeTable {
    private static final List<Part> TIMES =
            List.of(
                    Part.P50,
                    Part.P99,
                    Part.P999,
                    Part.UNDISTURBED_P50,
                    Part.UNDISTURBED_P99,
                    Part.UNDISTURBED_P999);

    private static final List<Part> OWNERS =
            List.of(Part.MACHINE, Part.SYSTEM, Part.BENCH, Part.UNKNOWN, Part.REST);

    private OutcomeTable() {}

    /**
     * The table and, below it, the latencies in full and why figures are missing.
     *
     * @param all in order
     * @return Markdown, with a line end
     */
    public static String markdown(final ContestOutcomes all) {
        final List<ContestOutcome> outcomes = all.rows();
        final StringBuilder text = new StringBuilder();
        text.append("| what | ours | against | | ratio: median (min..max) | goal | |\n");
        text.append("|---|---:|---|---:|---:|---|---|\n");
        outcomes.forEach(outcome -> text.append(line(outcome)));
        text.append(latencies(all.latencies()));
        final Map<String, String> failures = new TreeMap<>();
        outcomes.forEach(outcome -> failures.putAll(outcome.failures()));
        if (!failures.isEmpty()) {
            text.append("\nRounds that are missing:\n\n");
            failures.forEach((who, why) ->
                    text.append("- ").append(who).append(": ").append(why).append('\n'));
        }
        return text.toString();
    }

    private static String latencies(final List<LatencyOutcome> outcomes) {
        final StringBuilder lines = new StringBuilder();
        for (final LatencyOutcome outcome : outcomes) {
            if (!outcome.figures().isEmpty()) {
                lines.append(line(outcome));
            }
        }
        return lines.isEmpty()
                ? ""
                : """

                Latencies in full, medians of the rounds; *undisturbed* leaves out messages that the machine disturbed, \
                and the last column
                says who caused the latency above the median in the slowest thousandth of the messages (means of the rounds, \
                which add up).

                | what | side | p50 | p99 | p99.9 | undisturbed p50 | p99 | p99.9 | left out \
                | machine, system, bench, unknown, rest |
                |---|---|---:|---:|---:|---:|---:|---:|---:|---|
                """
                        + lines;
    }

    private static String line(final LatencyOutcome outcome) {
        final StringJoiner line = new StringJoiner(" | ", "| ", " |\n");
        line.add(outcome.row().what());
        line.add(outcome.row().contestant());
        for (final Part part : TIMES) {
            line.add(outcome.median(part, Unit.NANOSECONDS));
        }
        line.add(outcome.median(Part.LEFT_OUT, Unit.PERCENT));
        line.add(OWNERS.stream().map(outcome::meanShare).collect(Collectors.joining(", ")));
        return line.toString();
    }

    private static String line(final ContestOutcome outcome) {
        final Row row = outcome.row();
        final StringJoiner line = new StringJoiner(" | ", "| ", " |\n");
        line.add(row.what());
        line.add(median(row, outcome.ours()));
        line.add(row.peer().orElse(""));
        line.add(median(row, outcome.peer()));
        line.add(judged(outcome));
        line.add(row.goalText());
        line.add(verdict(outcome));
        return line.toString();
    }

    private static String verdict(final ContestOutcome outcome) {
        if (!outcome.isMeasured()) {
            return "not measured";
        }
        if (outcome.row().goal() instanceof Goal.Shown) {
            return "shown";
        }
        return outcome.isMet() ? "met" : "**missed**";
    }

    private static String median(final Row row, final List<Double> figures) {
        return figures.isEmpty() ? "" : row.unit().text(ContestOutcome.spread(figures).median());
    }

    private static String judged(final ContestOutcome outcome) {
        if (!outcome.isMeasured()) {
            return "";
        }
        final Spread spread = ContestOutcome.spread(outcome.judged());
        if (outcome.judged().size() == 1) { // one round has no spread, and must not look as if
            return text(outcome.row(), spread.median()) + " (one round, no interval)";
        }
        return "%s (%s..%s)"
                .formatted(
                        text(outcome.row(), spread.median()),
                        text(outcome.row(), spread.min()),
                        text(outcome.row(), spread.max()));
    }

    private static String text(final Row row, final double judged) {
        return row.peer().isEmpty()
                ? row.unit().text(judged)
                : String.format(Locale.ROOT, "%." + row.goal().decimals() + "f", judged);
    }
}
