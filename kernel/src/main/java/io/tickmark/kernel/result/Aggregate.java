package io.tickmark.kernel.result;

import java.util.Map;

/**
 * One row over the repeats of a test: median and spread of each figure.
 *
 * @param test name of the test
 * @param channel as the plan has it
 * @param step number within a repeat
 * @param payloadBytes message length
 * @param repeats number of repeats included, without void ones
 * @param figures by name ({@code roundTripNs.p50}, {@code achievedRatePerSecond}, ...)
 */
public record Aggregate(
        String test,
        String channel,
        int step,
        int payloadBytes,
        int repeats,
        Map<String, Spread> figures) {
    /**
     * A figure over repeats.
     *
     * @param median of the repeats
     * @param min smallest
     * @param max largest
     */
    public record Spread(double median, double min, double max) {}
}
