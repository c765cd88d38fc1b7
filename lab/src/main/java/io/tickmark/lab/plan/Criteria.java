package io.tickmark.lab.plan;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a row must fulfil to pass. The headline latency is response time where there is one,
 * otherwise the round trip.
 *
 * @param maxLostPart of the messages expected
 * @param maxDuplicated messages
 * @param maxCorrupted messages
 * @param maxReordered messages, -1 for any number
 * @param maxTimedOut pings
 * @param maxWouldBlock messages that had to wait for room in flight, -1 for any number
 * @param minRateHeldPart of the requested rate, if any
 * @param maxP50 of the headline latency, zero for no bound
 * @param maxP99 of the headline latency, zero for no bound
 * @param maxP999 of the headline latency, zero for no bound
 * @param maxLatency largest headline latency, zero for no bound
 * @param maxTakenPart of the measured time for which the machine may take the core from a hot
 *     thread; above it the row is void
 */
public record Criteria(
        @Setting(
                        help = "Maximum fraction of lost messages.",
                        byDefault = "0",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double maxLostPart,
        @Setting(help = "Maximum duplicated messages.", byDefault = "0", min = 0)
                long maxDuplicated,
        @Setting(help = "Maximum messages with a wrong checksum.", byDefault = "0", min = 0)
                long maxCorrupted,
        @Setting(
                        help = "Maximum reordered messages; -1 for any number.",
                        byDefault = "-1",
                        min = -1)
                long maxReordered,
        @Setting(help = "Maximum timed-out pings.", byDefault = "0", min = 0) long maxTimedOut,
        @Setting(
                        help = "Maximum back-pressured messages; -1 for any number.",
                        byDefault = "-1",
                        min = -1)
                long maxWouldBlock,
        @Setting(
                        help = "Fraction of the requested rate that must be achieved.",
                        byDefault = "0.99",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double minRateHeldPart,
        @Setting(help = "Maximum median of the headline latency; 0 for any.", byDefault = "0")
                Duration maxP50,
        @Setting(
                        help = "Maximum 99th percentile of the headline latency; 0 for any.",
                        byDefault = "0")
                Duration maxP99,
        @Setting(
                        help = "Maximum 99.9th percentile of the headline latency; 0 for any.",
                        byDefault = "0")
                Duration maxP999,
        @Setting(help = "Maximum headline latency; 0 for any.", byDefault = "0")
                Duration maxLatency,
        @Setting(
                        help =
                                "Fraction of the time for which the machine may take a hot thread's core; above it a row is"
                                        + " void.",
                        byDefault = "0.2",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double maxTakenPart) {
    /** The defaults of a plan. */
    public static final Criteria DEFAULT =
            Settings.read(Criteria.class, Map.of(), key -> "criteria." + key);

    /**
     * Most of a count that there may be.
     *
     * @param count its name, see {@link Counts}
     * @param noun of one of what is counted
     * @param words what has happened to it
     * @param most how many there may be
     */
    public record CountLimit(String count, String noun, String words, long most) {}

    /**
     * The limits of counts, without those that allow any number.
     *
     * @return in the order to judge by them
     */
    public List<CountLimit> countLimits() {
        return Stream.of(
                        new CountLimit(Counts.DUPLICATED, "message", "came twice", maxDuplicated),
                        new CountLimit(
                                Counts.CORRUPTED,
                                "message",
                                "arrived with a wrong checksum",
                                maxCorrupted),
                        new CountLimit(
                                Counts.TIMED_OUT, "ping", "had no echo in time", maxTimedOut),
                        new CountLimit(
                                Counts.WOULD_BLOCK,
                                "message",
                                "had to wait for room in flight",
                                maxWouldBlock),
                        new CountLimit(Counts.REORDERED, "message", "came late", maxReordered))
                .filter(limit -> limit.most() >= 0)
                .toList();
    }

    /**
     * Longest that a figure of the headline latency may be.
     *
     * @param key of the criterion
     * @param name of the figure in a sentence
     * @param percent of the latencies that are no longer than it
     * @param figure the figure, ns; empty where there are too few latencies for it
     * @param most how long it may be
     */
    public record LatencyLimit(
            String key,
            String name,
            double percent,
            Function<LatencySummary, OptionalLong> figure,
            Duration most) {}

    /**
     * The limits of the headline latency, without those that allow any.
     *
     * @return in the order to judge by them
     */
    public List<LatencyLimit> latencyLimits() {
        return Stream.of(
                        new LatencyLimit("maxP50", "median", 50, LatencySummary::p50, maxP50),
                        new LatencyLimit(
                                "maxP99", "99th percentile", 99, LatencySummary::p99, maxP99),
                        new LatencyLimit(
                                "maxP999",
                                "99.9th percentile",
                                99.9,
                                LatencySummary::p999,
                                maxP999),
                        new LatencyLimit(
                                "maxLatency",
                                "maximum",
                                100,
                                latency -> OptionalLong.of(latency.max()),
                                maxLatency))
                .filter(limit -> !limit.most().isZero())
                .toList();
    }

    /**
     * The same criteria with another limit of losses.
     *
     * @param part of the messages expected, 0 to 1
     * @return the criteria
     */
    public Criteria withMaxLostPart(final double part) {
        return with(part, maxTimedOut, minRateHeldPart);
    }

    /**
     * The same criteria for a measurement that is to find out what is lost, and which rate is held:
     * neither is a failure.
     *
     * @return the criteria, which limit nothing else than they did
     */
    public Criteria withAnyLoad() {
        return with(1, Long.MAX_VALUE, 0);
    }

    /**
     * The same criteria with another limit of the rate.
     *
     * @param part of the requested rate, 0 to 1
     * @return the criteria
     */
    public Criteria withMinRateHeldPart(final double part) {
        return with(maxLostPart, maxTimedOut, part);
    }

    private Criteria with(final double lostPart, final long timedOut, final double rateHeldPart) {
        return new Criteria(
                lostPart,
                maxDuplicated,
                maxCorrupted,
                maxReordered,
                timedOut,
                maxWouldBlock,
                rateHeldPart,
                maxP50,
                maxP99,
                maxP999,
                maxLatency,
                maxTakenPart);
    }
}
