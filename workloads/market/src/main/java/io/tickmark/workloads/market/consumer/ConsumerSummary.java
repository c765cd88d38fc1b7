package io.tickmark.workloads.market.consumer;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.SummaryInputs;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/** What is the consumer's own in its summary and console lines, in the format of the field. */
final class ConsumerSummary {
    private static final double SECOND_NS = 1e9;

    private final ConsumerSettings settings;
    private final Set<String> asked;

    ConsumerSummary(final ConsumerSettings settings) {
        this.settings = settings;
        asked = asked(settings);
    }

    /** The columns that are shown, whether or not there was anything to count. */
    static Set<String> asked(final ConsumerSettings settings) {
        final Set<String> asked = new HashSet<>();
        if (settings.postingRate() > 0) {
            asked.add(ConsumerCounts.POSTS);
        }
        if (settings.genericMsgRate() > 0) {
            asked.add(ConsumerCounts.GENERICS);
        }
        return asked;
    }

    /** Console lines behind those of an interval: once, how long the images took. */
    static List<String> notes(final LoopCounts.Row<ConsumerCounts> row) {
        final long retrievalNs = row.totals().retrievalNs().get();
        if (retrievalNs == 0 || row.counts().images().get() == 0) {
            return List.of();
        }
        final long images = row.totals().images().get();
        return List.of(
                String.format(
                        Locale.ROOT,
                        "  - Image retrieval time for %d images: %.3fs (%.0f images/s)",
                        images,
                        retrievalNs / SECOND_NS,
                        images * SECOND_NS / retrievalNs));
    }

    SummaryInputs inputs() {
        final var files = settings.files();
        return new SummaryInputs()
                .add("Steady State Time", settings.steadyStateTime().toSeconds())
                .add("Delay Steady State Time", settings.delaySteadyStateCalc().toMillis())
                .add("Service", settings.serviceName())
                .add("useUserDispatch", settings.run().useUserDispatch())
                .add("mainThread", settings.run().mainThread())
                .add("Thread List", settings.run().threadList())
                .add("ApiThread List", apiThreads())
                .add(
                        "Username",
                        settings.uname().isEmpty() ? "(use system login name)" : settings.uname())
                .add("Item Count", settings.itemCount())
                .add("Common Item Count", settings.commonItemCount())
                .add("Request Rate", settings.requestRate())
                .addSwitch("Request Snapshots", settings.snapshot())
                .add("Posting Rate", settings.postingRate())
                .add("Latency Posting Rate", settings.postingLatencyRate())
                .add("Generic Msg Rate", settings.genericMsgRate())
                .add("Latency Generic Msg Rate", settings.genericMsgLatencyRate())
                .add("Item File", settings.itemFile().isEmpty() ? "(own)" : settings.itemFile())
                .add("Data File", dataFile())
                .add("Summary File", files.summaryFile())
                .add("Stats File", files.statsFile())
                .add(
                        "Latency Log File",
                        files.latencyFile().isEmpty() ? "(none)" : files.latencyFile())
                .add("Tick Rate", settings.run().tickRate());
    }

    private String apiThreads() {
        final List<Integer> cores = settings.run().apiThreads();
        return cores.isEmpty()
                ? "-1"
                : String.join(",", cores.stream().map(String::valueOf).toList());
    }

    private String dataFile() {
        final String file = settings.content().messageFile();
        return file.isEmpty() ? "(own)" : file;
    }

    /** The text of one connection or of all; {@code resources} are lines about the process. */
    String section(final List<ConsumerFindings> of, final String resources) {
        final ConsumerCounts startup = sum(of, LoopCounts::startup);
        final ConsumerCounts steady = sum(of, LoopCounts::steady);
        final ConsumerCounts all = ConsumerCounts.COLUMNS.sum(List.of(startup, steady));
        final double startupSeconds = ConsumerFindings.startupNs(of) / SECOND_NS;
        final double steadySeconds = ConsumerFindings.steadyNs(of) / SECOND_NS;
        final double seconds = startupSeconds + steadySeconds;
        return phase("Startup State", startupSeconds, startup)
                + rate(startup, startupSeconds)
                + "\n"
                + phase("Steady State", steadySeconds, steady)
                + rate(steady, steadySeconds)
                + "\n"
                + phase("Overall", seconds, all)
                + resources
                + "\nTest Statistics:\n"
                + ConsumerCounts.COLUMNS.countLines(all, asked)
                + retrieval(ConsumerFindings.retrievalNs(of) / SECOND_NS, all.images().get())
                + rate(all, seconds)
                + "\n";
    }

    private static ConsumerCounts sum(
            final List<ConsumerFindings> of,
            final Function<LoopCounts<ConsumerCounts>, ConsumerCounts> part) {
        return ConsumerCounts.COLUMNS.sum(
                of.stream().map(ConsumerFindings::counts).map(part).toList());
    }

    private String phase(final String name, final double seconds, final ConsumerCounts counts) {
        return name
                + " Statistics:\n"
                + line("Sampling duration (sec): %.3f", seconds)
                + ConsumerCounts.COLUMNS.latencyLines(counts, asked);
    }

    private static String rate(final ConsumerCounts counts, final double seconds) {
        return line("Avg update rate: %.0f", seconds == 0 ? 0 : counts.updates().get() / seconds);
    }

    private static String retrieval(final double seconds, final long images) {
        return line("Image retrieval time (sec): %.3f", seconds)
                + line("Avg image rate: %.0f", seconds == 0 ? 0 : images / seconds);
    }

    private static String line(final String format, final double value) {
        return "  " + String.format(Locale.ROOT, format, value) + "\n";
    }
}
