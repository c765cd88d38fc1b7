package io.tickmark.report;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.Sides;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** The rows of a streaming test on all its channels, and what else is said of each trial. */
final class StreamTable {
    private StreamTable() {}

    /**
     * One row for each channel and step.
     *
     * @param test blocks of one test
     * @return the table
     */
    static TextTable of(final List<Block> test) {
        final TextTable table =
                new TextTable(
                        List.of(
                                new TextTable.Column("channel", true),
                                new TextTable.Column("bytes", false),
                                new TextTable.Column("offered/s", false),
                                new TextTable.Column("achieved/s", false),
                                new TextTable.Column("received", false),
                                new TextTable.Column("lost", false),
                                new TextTable.Column("duplicated", false),
                                new TextTable.Column("reordered", false),
                                new TextTable.Column("max tight sends", false),
                                new TextTable.Column("response 50% us", false),
                                new TextTable.Column("99% us", false),
                                new TextTable.Column("max us", false)),
                        2);
        for (final Block block : test) {
            block.rows().forEach(row -> table.add(cells(block, row)));
        }
        return table;
    }

    private static List<String> cells(final Block block, final MergedRow row) {
        final List<String> cells = new ArrayList<>();
        cells.add(block.channel());
        cells.add(Integer.toString(row.any().payloadBytes()));
        final boolean sent = Sides.isSenderKnown(row.any());
        final boolean came = Sides.isReceiverKnown(row.any());
        cells.add(known(sent, offered(row)));
        cells.add(known(sent, whole(row.median(TrialResult::achievedRatePerSecond))));
        cells.add(known(came, Figures.count(row.sum(TrialResult::received))));
        cells.add(known(came, Figures.count(row.sum(TrialResult::lost))));
        cells.add(known(came, Figures.count(row.sum(TrialResult::duplicated))));
        cells.add(known(came, Figures.count(row.sum(TrialResult::reordered))));
        cells.add(known(sent, Figures.count(row.max(TrialResult::maxTightSends))));
        final Optional<LatencySummary> response = row.latency(Latencies.RESPONSE_NS);
        cells.add(usOrNone(response.map(LatencySummary::p50)));
        cells.add(usOrNone(response.map(LatencySummary::p99)));
        cells.add(response.map(latency -> us(latency.max())).orElse("n/a"));
        return cells;
    }

    private static String usOrNone(final Optional<OptionalLong> ns) {
        return ns.filter(OptionalLong::isPresent).map(each -> us(each.getAsLong())).orElse("n/a");
    }

    private static String known(final boolean isKnown, final String figure) {
        return isKnown ? figure : "n/a";
    }

    /** The rate of the schedule; one without a rate sleeps, or sends as fast as possible. */
    private static String offered(final MergedRow row) {
        final double perSecond = row.median(TrialResult::offeredRatePerSecond);
        return perSecond > 0
                ? whole(perSecond)
                : row.labels().contains(Labels.PACED_BY_SLEEPING) ? "sleep" : "max";
    }

    private static String whole(final double perSecond) {
        return Figures.count(Math.round(perSecond));
    }

    private static String us(final long ns) {
        return String.format(Locale.ROOT, "%.2f", ns / 1e3);
    }

    /**
     * What the messages count as, where one is configured to represent several.
     *
     * @param trial a row of the run
     * @return the line, empty where each is one
     */
    static Optional<String> application(final TrialResult trial) {
        final long messages = trial.counts().getOrDefault(Counts.APPLICATION_MESSAGES, 0L);
        final long each = metric(trial, "messagesPerSend").max().orElse(0);
        if (messages == 0 || each == 0) {
            return Optional.empty();
        }
        return Optional.of(
                "Counted as %s application messages, %d for each sent: %s/s."
                        .formatted(
                                Figures.count(messages),
                                each,
                                whole(each * trial.achievedRatePerSecond())));
    }

    private static LongStream metric(final TrialResult trial, final String name) {
        return trial.roles() == null
                ? LongStream.empty()
                : trial.roles().stream()
                        .map(role -> role.metrics().get(name))
                        .filter(Number.class::isInstance)
                        .mapToLong(said -> ((Number) said).longValue());
    }

    /**
     * The histogram of the send call, where one was requested.
     *
     * @param trial a row of the run
     * @return a line: bucket and messages in it
     */
    static Optional<String> sendTimes(final TrialResult trial) {
        return trial.roles() == null
                ? Optional.empty()
                : trial.roles().stream()
                        .map(role -> role.metrics().get("sendHistogram"))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(buckets ->
                                "Time inside the send call: " + Printable.of(buckets.toString()));
    }
}
