package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.market.measure.OutputFile;
import io.tickmark.workloads.market.measure.StatisticsThread;
import io.tickmark.workloads.market.measure.SummaryInputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the publisher's statistics and summary in the formats of the field. */
final class PublisherReporter extends StatisticsThread<PublisherRow> {
    private static final String HEADER =
            "UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)\n";
    private static final double SECOND_NS = 1e9;

    private final PublisherSettings settings;
    private final RoleContext context;
    private final List<OutputFile> stats = new ArrayList<>();
    private final OutputFile summary;
    private final long beganNs;

    PublisherReporter(final PublisherSettings settings, final RoleContext context) {
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
        }
    }

    @Override
    protected void take(final PublisherRow row) {
        stats.get(row.thread() - 1)
                .append(
                        String.format(
                                Locale.ROOT,
                                "%s, %d, %d, %.2f, %.2f\n",
                                utc(row.endNs()),
                                row.images(),
                                row.updates(),
                                cpuPercent(),
                                memoryMb()));
        tell(
                String.format(
                        Locale.ROOT,
                        "%s%03d: UpdRate: %8d, CPU: %6.2f%%, Mem: %.2fMB",
                        stats.size() == 1 ? "" : "Thread " + row.thread() + " ",
                        Math.round((row.endNs() - beganNs) / SECOND_NS),
                        Math.round(row.updates() * SECOND_NS / Math.max(1, row.lengthNs())),
                        cpuPercent(),
                        memoryMb()));
        if (row.images() > 0) {
            tell("  - Sent %d images (total: %d)".formatted(row.images(), row.allImages()));
        }
    }

    /** Writes what is left and the summary; returns what the files lack. */
    List<String> finish(final List<PublisherFindings> findings) {
        stop();
        final String results = results(findings);
        summary.append(inputs() + results);
        results.lines().forEach(context::tell);
        final List<String> warnings = new ArrayList<>();
        stats.stream()
                .map(OutputFile::failure)
                .filter(failure -> !failure.isEmpty())
                .forEach(warnings::add);
        if (!summary.failure().isEmpty()) {
            warnings.add(summary.failure());
        }
        return warnings;
    }

    private String inputs() {
        final var source = settings.source();
        final var run = settings.run();
        return new SummaryInputs()
                .add("Run Time", source.runTime().toSeconds())
                .add("Provider Name", settings.providerName())
                .addSwitch("useUserDispatch", run.useUserDispatch() == 1)
                .add("mainThread CpuId", run.mainThread())
                .add(
                        "Thread List",
                        String.join(",", run.threads().stream().map(String::valueOf).toList()))
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
                .addSwitch("Measure Encode", source.measureEncode())
                .text();
    }

    private String results(final List<PublisherFindings> findings) {
        final StringBuilder text = new StringBuilder();
        if (findings.size() > 1) {
            for (final PublisherFindings one : findings) {
                text.append("--- THREAD %d SUMMARY ---\n\n".formatted(one.thread()))
                        .append(sent(one.images(), one.updates()))
                        .append('\n');
            }
        }
        return text.append("--- OVERALL SUMMARY ---\n\n")
                .append(
                        sent(
                                findings.stream().mapToLong(PublisherFindings::images).sum(),
                                findings.stream().mapToLong(PublisherFindings::updates).sum()))
                .append("  CPU/Memory samples: ")
                .append(usageSamples())
                .append('\n')
                .append(usageLines())
                .append('\n')
                .toString();
    }

    private static String sent(final long images, final long updates) {
        return "Overall Statistics:\n  Images sent: %d\n  Updates sent: %d\n"
                .formatted(images, updates);
    }
}
