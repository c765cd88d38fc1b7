package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.LatencyMeter;
import io.tickmark.workloads.market.measure.SummaryInputs;
import io.tickmark.workloads.market.measure.Timings;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The text of the consumer's summary, in the format of the field. */
final class ConsumerSummary {
    private static final double SECOND_NS = 1e9;

    private final ConsumerSettings settings;
    private final List<ConsumerFindings> findings;
    private final long samples;
    private final String usage;

    ConsumerSummary(
            final ConsumerSettings settings,
            final List<ConsumerFindings> findings,
            final long samples,
            final String usage) {
        this.settings = settings;
        this.findings = findings;
        this.samples = samples;
        this.usage = usage;
    }

    String inputs() {
        final var files = settings.files();
        return new SummaryInputs()
                .add("Steady State Time", settings.steadyStateTime().toSeconds())
                .add("Delay Steady State Time", settings.delaySteadyStateCalc().toMillis())
                .add("Service", settings.serviceName())
                .add("useUserDispatch", settings.run().useUserDispatch())
                .add("mainThread", settings.run().mainThread())
                .add("Thread List", list(settings.run().threads()))
                .add("ApiThread List", list(settings.run().apiThreads()))
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
                .add("Tick Rate", settings.run().tickRate())
                .text();
    }

    private static String list(final List<Integer> cores) {
        return cores.isEmpty()
                ? "-1"
                : String.join(",", cores.stream().map(String::valueOf).toList());
    }

    private String dataFile() {
        final String file = settings.content().messageFile();
        return file.isEmpty() ? "(own)" : file;
    }

    String results() {
        final StringBuilder text = new StringBuilder();
        if (findings.size() > 1) {
            for (final ConsumerFindings one : findings) {
                text.append("--- THREAD %d SUMMARY ---\n\n".formatted(one.thread()));
                text.append(section(List.of(one), ""));
            }
        }
        return text.append("--- OVERALL SUMMARY ---\n\n")
                .append(section(findings, "  CPU/Memory samples: " + samples + "\n" + usage))
                .toString();
    }

    private String section(final List<ConsumerFindings> of, final String resources) {
        final double startup =
                of.stream().mapToDouble(f -> startupNs(f) / SECOND_NS).max().orElse(0);
        final double steady =
                of.stream()
                        .mapToDouble(f -> (f.times().endNs() - f.times().steadyNs()) / SECOND_NS)
                        .max()
                        .orElse(0);
        return phase("Startup State", startup, of, LatencyMeter::startup, sum(of, true).updates)
                + phase("Steady State", steady, of, LatencyMeter::steady, sum(of, false).updates)
                + phase("Overall", startup + steady, of, ConsumerSummary::overall, -1)
                + resources
                + "\n"
                + test(of, startup + steady)
                + "\n";
    }

    private static long startupNs(final ConsumerFindings one) {
        return one.times().firstRequestNs() == 0
                ? 0
                : one.times().steadyNs() - one.times().firstRequestNs();
    }

    private static Timings overall(final LatencyMeter meter) {
        final Timings all = meter.startup();
        all.add(meter.steady());
        return all;
    }

    private String phase(
            final String name,
            final double seconds,
            final List<ConsumerFindings> of,
            final Function<LatencyMeter, Timings> timings,
            final long updates) {
        final StringBuilder text = new StringBuilder(name + " Statistics:\n");
        line(text, "Sampling duration (sec): %.3f", seconds);
        latency(text, "Latency", joined(of, LatencyKind.UPDATE, timings));
        if (settings.postingRate() > 0) {
            latency(text, "Posting Latency", joined(of, LatencyKind.POST, timings));
        }
        latency(text, "GenMsg Latency", joined(of, LatencyKind.GENERIC, timings));
        if (updates >= 0) {
            line(text, "Avg update rate: %.0f", seconds == 0 ? 0 : updates / seconds);
        }
        return text.append(updates >= 0 ? "\n" : "").toString();
    }

    private static Timings joined(
            final List<ConsumerFindings> of,
            final LatencyKind kind,
            final Function<LatencyMeter, Timings> timings) {
        final Timings all = new Timings();
        of.forEach(one -> all.add(timings.apply(one.intake().meter(kind))));
        return all;
    }

    private static void latency(
            final StringBuilder text, final String name, final Timings timings) {
        if (timings.count() == 0) {
            if (!name.equals("Latency")) {
                line(text, "No %s latency information was received.", name.replace(" Latency", ""));
            }
            return;
        }
        line(text, "%s avg (usec): %.1f", name, timings.meanUs());
        line(text, "%s std dev (usec): %.1f", name, timings.deviationUs());
        line(text, "%s max (usec): %.1f", name, timings.maxUs());
        line(text, "%s min (usec): %.1f", name, timings.minUs());
    }

    private String test(final List<ConsumerFindings> of, final double seconds) {
        final ConsumerTotals all = sum(of, true);
        all.add(sum(of, false), 1);
        final double retrieval = ConsumerFindings.retrievalNs(of) / SECOND_NS;
        final StringBuilder text = new StringBuilder("Test Statistics:\n");
        line(text, "Requests sent: %d", all.requests);
        line(text, "Refreshes received: %d", all.refreshes);
        line(text, "Updates received: %d", all.updates);
        if (settings.postingRate() > 0) {
            line(text, "Posts sent: %d", all.posts);
            line(text, "Posts received: %d", all.postsBack);
        }
        if (settings.genericMsgRate() > 0 || all.genericsReceived > 0) {
            line(text, "GenMsgs sent: %d", all.genericsSent);
            line(text, "GenMsgs received: %d", all.genericsReceived);
            line(text, "GenMsg latencies sent: %d", all.genericLatenciesSent);
        }
        line(text, "Image retrieval time (sec): %.3f", retrieval);
        line(text, "Avg image rate: %.0f", retrieval == 0 ? 0 : all.images / retrieval);
        line(text, "Avg update rate: %.0f", seconds == 0 ? 0 : all.updates / seconds);
        return text.toString();
    }

    private static ConsumerTotals sum(final List<ConsumerFindings> of, final boolean ofStartup) {
        final ConsumerTotals sum = new ConsumerTotals();
        of.forEach(each -> sum.add(ofStartup ? each.startup() : each.steady(), 1));
        return sum;
    }

    private static void line(
            final StringBuilder text, final String format, final Object... values) {
        text.append("  ").append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
