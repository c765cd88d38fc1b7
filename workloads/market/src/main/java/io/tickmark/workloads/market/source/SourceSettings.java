package io.tickmark.workloads.market.source;

import io.tickmark.kernel.loop.SummaryInputs;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.workloads.market.measure.LatencyRate;
import io.tickmark.workloads.market.measure.OutputFiles;
import io.tickmark.workloads.market.measure.RunSettings;
import io.tickmark.workloads.market.rssl.Api;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Settings shared by providers of both kinds.
 *
 * @param updateRate updates per second on each connection
 * @param latencyUpdateRate of these with a time stamp
 * @param refreshBurstSize images between two looks at the clock
 * @param runTime how long it runs
 * @param preEnc whether updates and generic messages are encoded once and copied
 * @param measureEncode whether the time of encoding is recorded
 * @param nanoTime whether time stamps are in ns
 */
public record SourceSettings(
        @Setting(
                        help =
                                "Updates per second on each connection; 0 or at least the tick rate.",
                        byDefault = "100000",
                        min = 0,
                        max = 100_000_000)
                int updateRate,
        @Setting(
                        help = "Of these, updates with a time stamp; or all.",
                        byDefault = "10",
                        label = "N|all")
                String latencyUpdateRate,
        @Setting(
                        help =
                                "Most images sent between two clock readings, when nothing else is due.",
                        byDefault = "10",
                        min = 1,
                        max = 10_000)
                int refreshBurstSize,
        @Setting(
                        help = "How long it runs.",
                        byDefault = "360s",
                        unit = "s",
                        min = 1e6,
                        max = 8.64e13)
                Duration runTime,
        @Setting(
                        help =
                                "Encode updates and generic messages once; each is sent as a copy with its own number and times.")
                boolean preEnc,
        @Setting(help = "Record how long encoding takes.") boolean measureEncode,
        @Setting(help = "Send time stamps in ns instead of us.") boolean nanoTime) {
    /** Checks the latency rate against the rate. */
    public SourceSettings {
        marks(updateRate, latencyUpdateRate);
    }

    /**
     * Refuses settings that a library does not support.
     *
     * @param api the role runs on
     */
    public void require(final Api api) {
        if (preEnc) {
            api.requirePreEncoding();
        }
    }

    /** Without updates there is nothing to mark, whatever the default says. */
    private static long marks(final int updateRate, final String latencyUpdateRate) {
        return updateRate == 0
                ? 0
                : LatencyRate.parse(latencyUpdateRate, updateRate, "--latency-update-rate");
    }

    /** {@return the unit of time stamps} */
    public TimeUnit stampUnit() {
        return nanoTime ? TimeUnit.NANOSECONDS : TimeUnit.MICROSECONDS;
    }

    /**
     * Updates with a time stamp.
     *
     * @return per second on each connection
     */
    public long latencyRate() {
        return marks(updateRate, latencyUpdateRate);
    }

    /**
     * The head of the summary that both kinds of provider share.
     *
     * @param providerName the name of the role
     * @param run its threads and ticks
     * @param files that it writes
     * @param messageFile that it sends, empty for its own messages
     * @return to be continued with what one kind alone has
     */
    public SummaryInputs inputs(
            final String providerName,
            final RunSettings run,
            final OutputFiles files,
            final String messageFile) {
        return new SummaryInputs()
                .add("Run Time", runTime.toSeconds())
                .add("Provider Name", providerName)
                .addSwitch("useUserDispatch", run.useUserDispatch() == 1)
                .add("mainThread CpuId", run.mainThread())
                .add("Thread List", RunSettings.list(run.threads()))
                .add("Summary File", files.summaryFile())
                .add("Stats File", files.statsFile())
                .add("Write Stats Interval", run.writeStatsInterval().toSeconds())
                .addSwitch("Display Stats", !run.noDisplayStats())
                .add("Tick Rate", run.tickRate())
                .add("Update Rate", updateRate)
                .add("Latency Update Rate", latencyUpdateRate)
                .add("Refresh Burst Size", refreshBurstSize)
                .addText("Data File", messageFile, "(own)")
                .addSwitch("Pre-Encoded Updates", preEnc)
                .addSwitch("Nanosecond Time", nanoTime)
                .addSwitch("Measure Encode", measureEncode);
    }
}
