package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import java.time.Duration;
import java.util.Map;

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
                        help = "Largest fraction of the messages that may be lost.",
                        byDefault = "0",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double maxLostPart,
        @Setting(help = "Most messages that may arrive twice.", byDefault = "0", min = 0)
                long maxDuplicated,
        @Setting(
                        help = "Most messages that may arrive with a wrong checksum.",
                        byDefault = "0",
                        min = 0)
                long maxCorrupted,
        @Setting(
                        help = "Most messages that may arrive late; -1 for any number.",
                        byDefault = "-1",
                        min = -1)
                long maxReordered,
        @Setting(help = "Most pings that may have no echo in time.", byDefault = "0", min = 0)
                long maxTimedOut,
        @Setting(
                        help =
                                "Most messages that may have to wait for room in flight; -1 for any number.",
                        byDefault = "-1",
                        min = -1)
                long maxWouldBlock,
        @Setting(
                        help = "Fraction of the rate asked for that must be held.",
                        byDefault = "0.99",
                        unit = Setting.PART,
                        min = 0,
                        max = 1)
                double minRateHeldPart,
        @Setting(help = "Largest median of the headline latency; 0 for any.", byDefault = "0")
                Duration maxP50,
        @Setting(
                        help = "Largest 99th percentile of the headline latency; 0 for any.",
                        byDefault = "0")
                Duration maxP99,
        @Setting(
                        help = "Largest 99.9th percentile of the headline latency; 0 for any.",
                        byDefault = "0")
                Duration maxP999,
        @Setting(help = "Largest headline latency of all; 0 for any.", byDefault = "0")
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
     * The same criteria with another limit of losses.
     *
     * @param part of the messages expected, 0 to 1
     * @return the criteria
     */
    public Criteria withMaxLostPart(final double part) {
        return new Criteria(
                part,
                maxDuplicated,
                maxCorrupted,
                maxReordered,
                maxTimedOut,
                maxWouldBlock,
                minRateHeldPart,
                maxP50,
                maxP99,
                maxP999,
                maxLatency,
                maxTakenPart);
    }

    /**
     * The same criteria for a measurement that is to find out what is lost, and which rate is held:
     * neither is a failure.
     *
     * @return the criteria, which limit nothing else than they did
     */
    public Criteria withAnyLoad() {
        return new Criteria(
                1,
                maxDuplicated,
                maxCorrupted,
                maxReordered,
                Long.MAX_VALUE,
                maxWouldBlock,
                0,
                maxP50,
                maxP99,
                maxP999,
                maxLatency,
                maxTakenPart);
    }

    /**
     * The same criteria with another limit of the rate.
     *
     * @param part of the requested rate, 0 to 1
     * @return the criteria
     */
    public Criteria withMinRateHeldPart(final double part) {
        return new Criteria(
                maxLostPart,
                maxDuplicated,
                maxCorrupted,
                maxReordered,
                maxTimedOut,
                maxWouldBlock,
                part,
                maxP50,
                maxP99,
                maxP999,
                maxLatency,
                maxTakenPart);
    }
}
