package io.tickmark.history;

/**
 * A figure of a run.
 *
 * @param run its id
 * @param startedAt of the run
 * @param series what it is a figure of
 * @param value median over the repeats
 */
public record HistoryPoint(String run, String startedAt, Series series, double value) {
    /**
     * What is followed over runs.
     *
     * @param test name of the test
     * @param channel as the plan has it
     * @param step number within a repeat
     * @param payloadBytes message length
     * @param figure as in {@code result.json}: {@code roundTripNs.p99}
     */
    public record Series(String test, String channel, int step, int payloadBytes, String figure) {}
}
