package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.SummaryInputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What is the provider's own in its summary and console lines, in the format of the field. */
final class ProviderSummary {
    private ProviderSummary() {}

    /** Console lines behind those of an interval. */
    static List<String> notes(final LoopCounts.Row<ProviderCounts> row) {
        final ProviderCounts counts = row.counts();
        final List<String> lines = new ArrayList<>();
        if (counts.requests().get() > 0 || counts.images().get() > 0) {
            lines.add(
                    "  - Received %d item requests (total: %d), sent %d images (total: %d)"
                            .formatted(
                                    counts.requests().get(),
                                    row.totals().requests().get(),
                                    counts.images().get(),
                                    row.totals().images().get()));
        }
        if (counts.posts().get() > 0) {
            lines.add(
                    "  - Received %d posts, reflected %d"
                            .formatted(counts.posts().get(), counts.reflected().get()));
        }
        return lines;
    }

    static SummaryInputs inputs(final ProviderSettings settings) {
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
                .add(
                        "Latency Log File",
                        settings.files().latencyFile().isEmpty()
                                ? "(none)"
                                : settings.files().latencyFile())
                .add("Write Stats Interval", run.writeStatsInterval().toSeconds())
                .addSwitch("Display Stats", !run.noDisplayStats())
                .add("Tick Rate", run.tickRate())
                .add("Update Rate", source.updateRate())
                .add("Latency Update Rate", source.latencyUpdateRate())
                .add("Generic Msg Rate", settings.genericMsgRate())
                .add("Latency Generic Msg Rate", settings.genericMsgLatencyRate())
                .add("Refresh Burst Size", source.refreshBurstSize())
                .add(
                        "Data File",
                        settings.content().messageFile().isEmpty()
                                ? "(own)"
                                : settings.content().messageFile())
                .addSwitch("Pre-Encoded Updates", source.preEnc())
                .addSwitch("Nanosecond Time", source.nanoTime())
                .addSwitch("Measure Encode", source.measureEncode())
                .addSwitch("Measure Decode", source.measureDecode());
    }

    /** The text of one thread or of all; {@code resources} are lines about the process. */
    static String section(final List<ProviderFindings> of, final String resources) {
        final List<ProviderCounts> parts = new ArrayList<>();
        for (final ProviderFindings one : of) {
            parts.add(one.counts().startup());
            parts.add(one.counts().steady());
        }
        final ProviderCounts all = ProviderCounts.COLUMNS.sum(parts);
        return "Overall Statistics:\n"
                + ProviderCounts.COLUMNS.latencyLines(all, Set.of())
                + ProviderCounts.COLUMNS.countLines(all, Set.of())
                + resources
                + "\n";
    }
}
