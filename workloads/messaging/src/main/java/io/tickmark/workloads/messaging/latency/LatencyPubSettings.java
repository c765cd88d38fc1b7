package io.tickmark.workloads.messaging.latency;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.PaceSettings;
import io.tickmark.workloads.messaging.ThreadSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of the latency publisher.
 *
 * @param channel to measure
 * @param topic within it
 * @param sizes message lengths of the sweep, stamp included; empty for doubling from {@code
 *     minPayloadBytes} to {@code maxPayloadBytes}
 * @param minPayloadBytes first length of the sweep
 * @param maxPayloadBytes last length of the sweep
 * @param samples measured pings of each size
 * @param duration measured time of each size instead of {@code samples}; zero for none
 * @param subscribers to wait for before starting
 * @param echo which program sends pings back
 * @param warmUp before the first size, all sizes in turn
 * @param pingTimeout after which a ping has timed out, counted from when it was due
 * @param verify whether messages carry a checksum
 * @param logLatencies whether each latency is written to latency.csv
 * @param pace open loop where its rate is not 0
 * @param thread how the hot thread waits and where it runs
 */
public record LatencyPubSettings(
        @Setting(help = "Channel to measure.", byDefault = "udp://127.0.0.1:0", label = "URI")
                String channel,
        @Setting(help = "Topic within the channel.", byDefault = "tickmark", label = "NAME")
                String topic,
        @Setting(
                        help =
                                "Message lengths of the sweep, stamp included, as a list or a doubling range 16..8192.",
                        unit = "bytes",
                        min = Stamp.SHORT_LENGTH,
                        max = 1 << 24)
                List<Integer> sizes,
        @Setting(
                        help = "First length of the doubling sweep, where --sizes is not given.",
                        byDefault = "16",
                        unit = "bytes",
                        min = Stamp.SHORT_LENGTH,
                        max = 1 << 24)
                int minPayloadBytes,
        @Setting(
                        help = "Last length of the doubling sweep, where --sizes is not given.",
                        byDefault = "8192",
                        unit = "bytes",
                        min = Stamp.SHORT_LENGTH,
                        max = 1 << 24)
                int maxPayloadBytes,
        @Setting(help = "Measured pings of each size.", byDefault = "10000", min = 1, max = 1e12)
                long samples,
        @Setting(
                        help = "Measured time of each size, instead of --samples; 0 for none.",
                        byDefault = "0",
                        min = 0,
                        max = 8.64e13)
                Duration duration,
        @Setting(
                        help =
                                "Subscribers to wait for before starting; the one with the highest cookie echoes.",
                        byDefault = "1",
                        min = 1,
                        max = 1024)
                int subscribers,
        @Setting(
                        help =
                                "Who sends pings back: our subscriber, or any echo service (RFC 862).",
                        byDefault = "subscriber")
                EchoKind echo,
        @Setting(
                        help = "Warm-up before the first size, all sizes in turn.",
                        byDefault = "2s",
                        whenWarm = "200ms",
                        min = 0,
                        max = 3.6e12)
                Duration warmUp,
        @Setting(
                        help =
                                "How long after its intended time a ping times out; a later echo is not counted as a latency.",
                        byDefault = "1s",
                        min = 1_000,
                        max = 6e10)
                Duration pingTimeout,
        @Setting(help = "Carry and check a CRC32C from 32 bytes on.", byDefault = "true")
                boolean verify,
        @Setting(help = "Write each latency to latency.csv.", byDefault = "false")
                boolean logLatencies,
        PaceSettings pace,
        ThreadSettings thread) {

    /**
     * Of a closed loop, to estimate the pings of a duration; if there are more, fewer of them are
     * kept.
     */
    private static final long FAST_ROUND_TRIP_NS = 5_000;

    /**
     * Of a closed loop that ends with a number of pings: longer it does not wait for echoes that do
     * not come, one after the other.
     */
    private static final long LONGEST_SILENCE_NS = 30_000_000_000L;

    /** The same for those that are missing among others: in all. */
    private static final long LONGEST_MISSING_NS = 4 * LONGEST_SILENCE_NS;

    /** Thirty years, with room for sums. */
    private static final double LONGEST_NS = 1e18;

    /** Most lengths of a sweep: stamps distinguish 256 steps, and the warm-up is one. */
    public static final int MAX_SIZES = 200;

    /** Checks conditions between settings. */
    public LatencyPubSettings {
        sizes = List.copyOf(sizes);
        if (sizes.size() > MAX_SIZES) {
            throw UserError.usage(
                    "--sizes: "
                            + sizes.size()
                            + " lengths; a sweep has at most "
                            + MAX_SIZES
                            + ", so split it into several tests.");
        }
        if (minPayloadBytes > maxPayloadBytes) {
            throw UserError.usage(
                    "--min-payload-bytes "
                            + minPayloadBytes
                            + ": is above --max-payload-bytes "
                            + maxPayloadBytes
                            + "; give a smaller one.");
        }
        if (echo == EchoKind.EXTERNAL && subscribers != 1) {
            throw UserError.usage(
                    "--subscribers "
                            + subscribers
                            + ": an external echo is always one; leave --subscribers out.");
        }
    }

    /**
     * The lengths to measure.
     *
     * @return at least one
     */
    List<Integer> sweep() {
        if (!sizes.isEmpty()) {
            return sizes;
        }
        final List<Integer> sweep = new ArrayList<>();
        for (long size = minPayloadBytes; size <= maxPayloadBytes; size *= 2) {
            sweep.add((int) size);
        }
        return List.copyOf(sweep);
    }

    /**
     * Whether pings are sent at their scheduled times, whatever happened to earlier ones.
     *
     * @return false for a closed loop
     */
    boolean isOpenLoop() {
        return pace.isPaced();
    }

    /** How many pings a step of an open loop has at most: by duration, those due within it. */
    long openLoopSamples() {
        return duration.isZero() ? samples : Long.MAX_VALUE;
    }

    /** About how many pings a step has. */
    long expectedPings() {
        if (isOpenLoop()) {
            return (long)
                    Math.min(openLoopSamples(), pace.meanRatePerSecond() * openLoopNs() / 1e9);
        }
        return duration.isZero() ? samples : duration.toNanos() / FAST_ROUND_TRIP_NS;
    }

    /**
     * How many pings of an open loop may await an echo that is still in time, which counts from
     * when they were due; with the next one, which is about to be sent.
     */
    double mostAwaited() {
        return Math.min(openLoopSamples(), pace.mostWithin(pingTimeout.toNanos())) + 1;
    }

    /** How long a step of a closed loop lasts; 0 where it ends with a number of pings. */
    long closedLoopNs() {
        return isOpenLoop() ? 0 : duration.toNanos();
    }

    /**
     * A step of a closed loop that ends with a number of pings ends before that once so many of
     * them in a row had no echo in time: each takes the whole time-out, and so may the rest.
     */
    long mostInARow() {
        return most(LONGEST_SILENCE_NS);
    }

    /** The same for those without an echo among others. */
    long mostTimedOut() {
        return most(LONGEST_MISSING_NS);
    }

    private long most(final long longestNs) {
        return isOpenLoop() || !duration.isZero()
                ? Long.MAX_VALUE
                : Math.max(1, longestNs / pingTimeout.toNanos());
    }

    /**
     * How long the publisher may wait without an echo in all steps; 0 where a duration ends them.
     */
    long longestSilenceNs() {
        return mostInARow() == Long.MAX_VALUE
                ? 0
                : (mostInARow() + sweep().size() - 1) * pingTimeout.toNanos();
    }

    /** Pings of a step of an open loop are due before this time has passed. */
    long openLoopNs() {
        return duration.isZero() ? Long.MAX_VALUE : duration.toNanos();
    }

    /**
     * How long a step may take when its rate is not reached: pings not sent by then are not sent.
     * By duration, a late sender may catch up for a second, otherwise pings delayed by a final
     * stall would be missing.
     */
    long longestOpenLoopNs() {
        final long plannedNs =
                duration.isZero()
                        ? 3 * (long) Math.min(LONGEST_NS, samples / pace.meanRatePerSecond() * 1e9)
                        : duration.toNanos();
        return plannedNs + 1_000_000_000L;
    }

    ChannelUri uri() {
        return ChannelUri.parse(channel);
    }

    /** Refuses sizes that the channel cannot carry. */
    void checkSizes(final int maxPayload, final ChannelUri uri) {
        for (final int size : sweep()) {
            if (size > maxPayload) {
                throw UserError.usage(
                        "--sizes "
                                + size
                                + ": "
                                + uri
                                + " carries at most "
                                + maxPayload
                                + " bytes in a message; give smaller sizes.");
            }
        }
    }

    int maxSize() {
        return sweep().stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    /** Which program sends pings back. */
    public enum EchoKind {
        /** One of our subscribers. */
        SUBSCRIBER,
        /** Any plain echo service (RFC 862) at the channel's address. */
        EXTERNAL
    }
}
