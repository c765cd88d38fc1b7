package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.role.RoleContext;
import io.tickmark.workloads.market.measure.EachLatency;
import io.tickmark.workloads.market.measure.OutputFile;
import io.tickmark.workloads.market.measure.StatisticsThread;
import io.tickmark.workloads.market.measure.Timings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes the consumer's statistics, latencies and summary in the formats of the field. */
final class ConsumerReporter extends StatisticsThread<ConsumerRow> {
    private static final String HEADER =
            String.join(
                            ", ",
                            "UTC",
                            latencyColumns("Latency updates", "Latency"),
                            "Images",
                            "Update rate (msg/sec)",
                            latencyColumns("Posting Latency updates", "Posting Latency"),
                            "GenMsgs sent",
                            "GenMsgs received",
                            "GenMsg Latencies sent",
                            latencyColumns("GenMsg latencies received", "GenMsg Latency"),
                            "CPU usage (%)",
                            "Memory (MB)")
                    + "\n";
    private static final double SECOND_NS = 1e9;

    private final ConsumerSettings settings;
    private final RoleContext context;
    private final List<OutputFile> stats = new ArrayList<>();
    private final List<OutputFile> latencies = new ArrayList<>();
    private final OutputFile summary;
    private long beganNs;

    ConsumerReporter(final ConsumerSettings settings, final RoleContext context) {
        super(context, settings.run());
        this.settings = settings;
        this.context = context;
        summary = OutputFile.create(context.directory(), settings.files().summaryFile(), "");
        for (int thread = 1; thread <= settings.connections(); thread++) {
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

    /** Starts the thread; the time of the summary's lines counts from here. */
    void begin() {
        beganNs = context.clock().nanoTime();
        start();
    }

    private static String latencyColumns(final String count, final String name) {
        return "%s, %s avg (usec), %s std dev (usec), %s max (usec), %s min (usec)"
                .formatted(count, name, name, name, name);
    }

    EachLatency each(final int thread) {
        return eachLatency(latencies.get(thread - 1));
    }

    @Override
    protected void take(final ConsumerRow row) {
        final ConsumerTotals counts = row.counts();
        final long rate = Math.round(counts.updates * SECOND_NS / Math.max(1, row.lengthNs()));
        stats.get(row.thread() - 1)
                .append(
                        String.join(
                                ", ",
                                utc(row.endNs()),
                                cells(row.updates()),
                                Long.toString(counts.images),
                                Long.toString(rate),
                                cells(row.posts()),
                                Long.toString(counts.genericsSent),
                                Long.toString(counts.genericsReceived),
                                Long.toString(counts.genericLatenciesSent),
                                cells(row.generics()),
                                String.format(
                                        Locale.ROOT, "%.2f, %.2f\n", cpuPercent(), memoryMb())));
        tell(row, rate);
    }

    private static String cells(final Timings timings) {
        return String.format(
                Locale.ROOT,
                "%d, %.1f, %.1f, %.1f, %.1f",
                timings.count(),
                timings.meanUs(),
                timings.deviationUs(),
                timings.maxUs(),
                timings.minUs());
    }

    private void tell(final ConsumerRow row, final long rate) {
        final ConsumerTotals counts = row.counts();
        tell(
                String.format(
                        Locale.ROOT,
                        "%s%03d: Images: %6d, Posts: %6d, UpdRate: %8d, CPU: %6.2f%%, Mem: %.2fMB",
                        settings.connections() == 1 ? "" : "Thread " + row.thread() + " ",
                        Math.round((row.endNs() - beganNs) / SECOND_NS),
                        counts.images,
                        counts.posts,
                        rate,
                        cpuPercent(),
                        memoryMb()));
        latencyLine("Latency", row.updates());
        latencyLine("PostingLatency", row.posts());
        latencyLine("GenMsgLatency", row.generics());
        if (row.retrievalNs() > 0) {
            tell(
                    String.format(
                            Locale.ROOT,
                            "  - Image retrieval time for %d images: %.3fs (%.0f images/s)",
                            row.allImages(),
                            row.retrievalNs() / SECOND_NS,
                            row.allImages() * SECOND_NS / row.retrievalNs()));
        }
    }

    private void latencyLine(final String name, final Timings timings) {
        if (timings.count() > 0) {
            tell(
                    String.format(
                            Locale.ROOT,
                            "  %s(usec): Avg:%7.1f StdDev:%7.1f Max:%6.0f Min:%6.0f, Msgs: %d",
                            name,
                            timings.meanUs(),
                            timings.deviationUs(),
                            timings.maxUs(),
                            timings.minUs(),
                            timings.count()));
        }
    }

    /** Writes what is left and the summary; returns what the files lack. */
    List<String> finish(final List<ConsumerFindings> findings) {
        stop();
        final ConsumerSummary text =
                new ConsumerSummary(settings, findings, usageSamples(), usageLines());
        summary.append(text.inputs() + text.results());
        text.results().lines().forEach(context::tell);
        return Stream.of(Stream.of(summary), stats.stream(), latencies.stream())
                .flatMap(each -> each)
                .map(OutputFile::failure)
                .filter(failure -> !failure.isEmpty())
                .collect(
                        () -> new ArrayList<>(latencyWarnings()),
                        ArrayList::add,
                        ArrayList::addAll);
    }
}
