package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.market.measure.EachLatency;
import io.tickmark.workloads.market.measure.OutputFile;
import io.tickmark.workloads.market.measure.StatisticsThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes the provider's statistics, latencies and summary in the formats of the field. */
final class ProviderReporter extends StatisticsThread<ProviderRow> {
    private static final String HEADER =
            "UTC, Requests received, Images sent, Updates sent, Posts reflected, GenMsgs sent, GenMsgs "
                    + "received, GenMsg Latencies sent, GenMsg latencies received, GenMsg Latency avg "
                    + "(usec), GenMsg Latency std dev (usec), GenMsg Latency max (usec), GenMsg "
                    + "Latency min (usec), CPU usage (%), Memory (MB)\n";
    private static final double SECOND_NS = 1e9;

    private final ProviderSettings settings;
    private final RoleContext context;
    private final List<OutputFile> stats = new ArrayList<>();
    private final List<OutputFile> latencies = new ArrayList<>();
    private final OutputFile summary;
    private final long beganNs;

    ProviderReporter(final ProviderSettings settings, final RoleContext context) {
        super(context, settings.run());
        this.settings = settings;
        this.context = context;
        beganNs = context.clock().nanoTime();
        summary = OutputFile.create(context.directory(), settings.files().summaryFile(), "");
        for (int thread = 1; thread <= settings.run().threads().size(); thread++) {
            final OutputFile file =
                    OutputFile.create(
                            context.directory(), settings.files().statsFile(), thread + ".csv");
            file.append(HEADER);
            stats.add(file);
            latencies.add(
                    OutputFile.create(
                            context.directory(), settings.files().latencyFile(), thread + ".csv"));
        }
    }

    EachLatency each(final int thread) {
        return eachLatency(latencies.get(thread - 1));
    }

    @Override
    protected void take(final ProviderRow row) {
        final ProviderTotals counts = row.counts();
        stats.get(row.thread() - 1)
                .append(
                        String.format(
                                Locale.ROOT,
                                "%s, %d, %d, %d, %d, %d, %d, %d, %d, %.1f, %.1f, %.1f, %.1f, %.2f, %.2f\n",
                                utc(row.endNs()),
                                counts.requests,
                                counts.images,
                                counts.updates,
                                counts.reflected,
                                counts.genericsSent,
                                counts.genericsReceived,
                                counts.genericLatenciesSent,
                                row.generics().count(),
                                row.generics().meanUs(),
                                row.generics().deviationUs(),
                                row.generics().maxUs(),
                                row.generics().minUs(),
                                cpuPercent(),
                                memoryMb()));
        tell(
                String.format(
                        Locale.ROOT,
                        "%s%03d: UpdRate: %8d, CPU: %6.2f%%, Mem: %.2fMB",
                        stats.size() == 1 ? "" : "Thread " + row.thread() + " ",
                        Math.round((row.endNs() - beganNs) / SECOND_NS),
                        Math.round(counts.updates * SECOND_NS / Math.max(1, row.lengthNs())),
                        cpuPercent(),
                        memoryMb()));
        if (counts.requests > 0 || counts.images > 0) {
            tell(
                    "  - Received %d item requests (total: %d), sent %d images (total: %d)"
                            .formatted(
                                    counts.requests,
                                    row.totals().requests,
                                    counts.images,
                                    row.totals().images));
        }
        if (counts.posts > 0) {
            tell("  - Received %d posts, reflected %d".formatted(counts.posts, counts.reflected));
        }
    }

    /** Writes what is left and the summary; returns what the files lack. */
    List<String> finish(final List<ProviderFindings> findings) {
        stop();
        final ProviderSummary text =
                new ProviderSummary(settings, findings, usageSamples(), usageLines());
        summary.append(text.inputs() + text.results());
        text.results().lines().forEach(context::tell);
        final List<String> warnings = new ArrayList<>(latencyWarnings());
        Stream.of(Stream.of(summary), stats.stream(), latencies.stream())
                .flatMap(each -> each)
                .map(OutputFile::failure)
                .filter(failure -> !failure.isEmpty())
                .forEach(warnings::add);
        return warnings;
    }
}
