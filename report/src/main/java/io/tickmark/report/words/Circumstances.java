package io.tickmark.report.words;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.Sides;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.LatencyTitle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Under what circumstances a test's figures were measured, on one line. */
public final class Circumstances {
    private Circumstances() {}

    /**
     * The line of a test.
     *
     * @param test blocks of one test, at least one
     * @param figures how to write times and rates
     * @return parts of a sentence, without a full stop
     */
    public static String of(final List<Block> test, final Figures figures) {
        final Block first = test.getFirst();
        final List<String> parts = new ArrayList<>();
        if (first.isStream()) {
            parts.add("One-way stream");
        } else {
            parts.add(latency(test));
        }
        rate(test, figures).ifPresent(parts::add);
        final int repeats = test.stream().mapToInt(Block::repeats).max().orElse(0);
        if (repeats > 1) {
            parts.add("medians of " + repeats + " repeats, min and max of all");
        }
        final long noiseMaxNs = test.stream().mapToLong(Block::noiseMaxNs).max().orElse(0);
        parts.add(
                noiseMaxNs > 0
                        ? "noise floor max " + figures.time(noiseMaxNs)
                        : "noise floor not measured");
        parts.add(
                test.stream()
                        .map(block -> threads(block.rows().getFirst().any()))
                        .distinct()
                        .collect(Collectors.joining(" or ")));
        return String.join("; ", parts);
    }

    private static String latency(final List<Block> test) {
        if (test.stream().flatMap(block -> block.rows().stream()).allMatch(Circumstances::isBare)) {
            return "No latency measured";
        }
        if (test.stream().allMatch(Block::isClosedLoop)) {
            return "Round trip (closed loop)";
        }
        final List<String> headlines =
                test.stream()
                        .flatMap(block -> block.rows().stream())
                        .flatMap(row -> row.headline().stream())
                        .distinct()
                        .map(name ->
                                name.equals(Latencies.RESPONSE_NS)
                                        ? "Response time (open loop)"
                                        : LatencyTitle.of(name))
                        .toList();
        return headlines.isEmpty() ? "No latency measured" : String.join(", ", headlines);
    }

    private static boolean isBare(final MergedRow row) {
        return row.headline().isEmpty() && !Sides.isSenderKnown(row.any());
    }

    private static Optional<String> rate(final List<Block> test, final Figures figures) {
        final List<TrialResult> trials =
                test.stream().flatMap(block -> block.rows().stream()).map(MergedRow::any).toList();
        final double offered = trials.getFirst().offeredRatePerSecond();
        if (trials.stream().anyMatch(trial -> trial.offeredRatePerSecond() != offered)
                || trials.stream().noneMatch(Sides::isSenderKnown)) {
            return Optional.empty();
        }
        if (offered > 0) {
            final String achieved = trials.size() > 1 ? "" : achieved(trials.getFirst(), figures);
            return Optional.of("offered " + figures.rate(offered) + achieved);
        }
        if (trials.getFirst().labels().contains(Labels.PACED_BY_SLEEPING)) {
            return Optional.of("paced by sleeping");
        }
        return test.getFirst().isStream() ? Optional.of("as fast as possible") : Optional.empty();
    }

    /** Where echoes are missing, what was sent is not what came back. */
    private static String achieved(final TrialResult trial, final Figures figures) {
        final String sent = figures.rate(trial.achievedRatePerSecond());
        return trial.notEchoed() == 0
                ? ", achieved " + sent
                : ", sent %s, echoed %s".formatted(sent, figures.rate(trial.echoedRatePerSecond()));
    }

    private static boolean isUsual(final String idle) {
        return idle.isEmpty() || idle.equals("spin");
    }

    private static String threads(final TrialResult trial) {
        return Plural.of(trial.hotThreads(), "hot thread")
                + " on "
                + Plural.of(trial.cores(), "core")
                + (isUsual(trial.idle()) ? "" : ", idle " + trial.idle());
    }
}
