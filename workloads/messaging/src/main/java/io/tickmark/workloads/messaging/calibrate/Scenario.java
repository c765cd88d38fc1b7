package io.tickmark.workloads.messaging.calibrate;

import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.nulls.DelayProgram;
import io.tickmark.transport.nulls.NullParameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Behaviour programmed into a {@code null} channel, and the exact figures to expect.
 *
 * @param name of the scenario
 * @param program parameters of the channel
 * @param ratePerSecond of the messages; divides a second into whole ns
 * @param messages how many
 */
record Scenario(String name, String program, int ratePerSecond, long messages) {
    /**
     * The scenarios of the calibration; each takes a few seconds at most. No compared percentile is
     * at a step of the programmed times, where one late message decides which value is measured.
     */
    static final List<Scenario> ALL =
            List.of(
                    new Scenario("constant", "delay=100us", 10_000, 10_000),
                    new Scenario(
                            "bimodal",
                            "delay=50us&bimodalDelay=400us&bimodalPart=0.2",
                            2_000,
                            2_000),
                    new Scenario(
                            "stall", "delay=50us&stallEvery=1s&stallFor=200ms", 10_000, 30_000),
                    new Scenario("lost", "delay=50us&lossPart=0.01", 10_000, 10_000),
                    new Scenario("duplicated", "delay=50us&duplicatePart=0.01", 10_000, 10_000),
                    new Scenario("reordered", "delay=50us&reorderPairs=100", 10_000, 10_000));

    /** How long sending takes. */
    long durationNs() {
        return messages * 1_000_000_000L / ratePerSecond;
    }

    /** The channel; every scenario has its own name in the process. */
    ChannelUri channel() {
        return ChannelUri.parse("null:calibrate-" + name + "?" + program);
    }

    /**
     * Response times as programmed, for messages that are sent at their intended times and polled
     * at once.
     */
    Histogram programmedResponse() {
        final DelayProgram delays = delays();
        final long gapNs = 1_000_000_000L / ratePerSecond;
        final Histogram truth =
                new Histogram(1, LatencyRecorder.HIGHEST_NS, LatencyRecorder.DIGITS);
        long lastNs = 0;
        for (long i = 0; i < messages; i++) {
            final long sentNs = i * gapNs;
            if (delays.loses(i)) {
                continue;
            }
            final boolean swapped = delays.swapsWithNext(i) && i + 1 < messages;
            final long fromNs = swapped ? sentNs + gapNs : sentNs;
            lastNs = Math.max(lastNs, delays.afterStallNs(fromNs + delays.delayNs(i), 0));
            truth.recordValue(Math.max(1, lastNs - sentNs));
        }
        return truth;
    }

    /** Counts as programmed. */
    Map<String, Long> programmedCounts() {
        final DelayProgram delays = delays();
        long lost = 0;
        long duplicated = 0;
        long reordered = 0;
        for (long i = 0; i < messages; i++) {
            lost += delays.loses(i) ? 1 : 0;
            duplicated += delays.duplicates(i) ? 1 : 0;
            reordered += delays.swapsWithNext(i) && i + 1 < messages ? 1 : 0;
        }
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(Counts.LOST, lost);
        counts.put(Counts.DUPLICATED, duplicated);
        counts.put(Counts.REORDERED, reordered);
        return counts;
    }

    private DelayProgram delays() {
        return new DelayProgram(
                Settings.read(NullParameters.class, channel().parameters(), name -> name));
    }
}
