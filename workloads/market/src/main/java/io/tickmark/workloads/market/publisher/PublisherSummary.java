package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.SummaryInputs;
import java.util.List;
import java.util.Set;

/** What is the publisher's own in its summary and console lines, in the format of the field. */
final class PublisherSummary {
    private PublisherSummary() {}

    /** Console lines behind those of an interval. */
    static List<String> notes(final LoopCounts.Row<PublisherCounts> row) {
        final long images = row.counts().images().get();
        return images == 0
                ? List.of()
                : List.of(
                        "  - Sent %d images (total: %d)"
                                .formatted(images, row.totals().images().get()));
    }

    static SummaryInputs inputs(final PublisherSettings settings) {
        final var source = settings.source();
        final var run = settings.run();
        return new SummaryInputs()
                .add("Run Time", source.runTime().toSeconds())
                .add("Provider Name", settings.providerName())
                .addSwitch("useUserDispatch", run.useUserDispatch() == 1)
                .add("mainThread CpuId", run.mainThread())
                .add("Thread List", run.threadList())
                .add("Summary File", settings.files().summaryFile())
                .add("Stats File", settings.files().statsFile())
                .add("Write Stats Interval", run.writeStatsInterval().toSeconds())
                .addSwitch("Display Stats", !run.noDisplayStats())
                .add("Item Count", settings.itemCount())
                .add("Tick Rate", run.tickRate())
                .add("Update Rate", source.updateRate())
                .add("Latency Update Rate", source.latencyUpdateRate())
                .add("Refresh Burst Size", source.refreshBurstSize())
                .add("Item File", settings.itemFile().isEmpty() ? "(own)" : settings.itemFile())
                .add(
                        "Data File",
                        settings.content().messageFile().isEmpty()
                                ? "(own)"
                                : settings.content().messageFile())
                .add("Service Name", settings.serviceName())
                .addSwitch("Pre-Encoded Updates", source.preEnc())
                .addSwitch("Nanosecond Time", source.nanoTime())
                .addSwitch("Measure Encode", source.measureEncode());
    }

    /** The text of one connection or of all; {@code resources} are lines about the process. */
    static String section(final List<PublisherConnection> of, final String resources) {
        final PublisherCounts all =
                PublisherCounts.COLUMNS.sum(of.stream().map(each -> each.counts().live()).toList());
        return "Overall Statistics:\n"
                + PublisherCounts.COLUMNS.countLines(all, Set.of())
                + resources
                + "\n";
    }
}
