package io.tickmark.workloads.market.provider;

import io.tickmark.workloads.market.measure.SummaryInputs;
import io.tickmark.workloads.market.measure.Timings;
import java.util.List;
import java.util.Locale;

/** The text of the interactive provider's summary, in the format of the field. */
final class ProviderSummary {
    private final ProviderSettings settings;
    private final List<ProviderFindings> findings;
    private final long samples;
    private final String usage;

    ProviderSummary(
            final ProviderSettings settings,
            final List<ProviderFindings> findings,
            final long samples,
            final String usage) {
        this.settings = settings;
        this.findings = findings;
        this.samples = samples;
        this.usage = usage;
    }

    String inputs() {
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
                .addSwitch("Measure Decode", source.measureDecode())
                .text();
    }

    String results() {
        final StringBuilder text = new StringBuilder();
        if (findings.size() > 1) {
            for (final ProviderFindings one : findings) {
                text.append("--- THREAD %d SUMMARY ---\n\n".formatted(one.thread()));
                text.append(section(List.of(one), ""));
            }
        }
        return text.append("--- OVERALL SUMMARY ---\n\n")
                .append(section(findings, "  CPU/Memory samples: " + samples + "\n" + usage))
                .toString();
    }

    private static String section(final List<ProviderFindings> of, final String resources) {
        final ProviderTotals all = new ProviderTotals();
        final Timings generics = new Timings();
        for (final ProviderFindings one : of) {
            all.add(one.startup(), 1);
            all.add(one.steady(), 1);
            generics.add(one.generics().startup());
            generics.add(one.generics().steady());
        }
        final StringBuilder text = new StringBuilder("Overall Statistics:\n");
        if (generics.count() == 0) {
            text.append("  No GenMsg latency information was received.\n");
        } else {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  GenMsg Latency avg (usec): %.1f\n  GenMsg Latency std dev (usec): %.1f\n "
                                    + " GenMsg Latency max (usec): %.1f\n  GenMsg Latency min (usec): %.1f\n",
                            generics.meanUs(),
                            generics.deviationUs(),
                            generics.maxUs(),
                            generics.minUs()));
        }
        text.append("  Image requests received: ").append(all.requests).append('\n');
        text.append("  Images sent: ").append(all.images).append('\n');
        text.append("  Updates sent: ").append(all.updates).append('\n');
        if (all.posts > 0) {
            text.append("  Posts received: ").append(all.posts).append('\n');
            text.append("  Posts reflected: ").append(all.reflected).append('\n');
        }
        if (all.genericsSent + all.genericsReceived > 0) {
            text.append("  GenMsgs sent: ").append(all.genericsSent).append('\n');
            text.append("  GenMsgs received: ").append(all.genericsReceived).append('\n');
        }
        return text.append(resources).append('\n').toString();
    }
}
