package io.tickmark.lab.compare;

import io.tickmark.kernel.result.LatencySummary;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One figure of a latency distribution.
 *
 * @param name as in JSON: {@code p99}
 * @param part of the messages that are not slower; NaN for the mean
 * @param summary takes it from a summary
 */
record LatencyFigure(String name, double part, ToDoubleFunction<LatencySummary> summary) {
    /** All that are compared; the maximum is one message, and no interval can be told of it. */
    static final List<LatencyFigure> ALL =
            List.of(
                    new LatencyFigure("mean", Double.NaN, LatencySummary::mean),
                    new LatencyFigure("p50", 0.5, LatencySummary::p50),
                    new LatencyFigure("p90", 0.9, LatencySummary::p90),
                    new LatencyFigure("p99", 0.99, LatencySummary::p99),
                    new LatencyFigure("p999", 0.999, LatencySummary::p999));

    /** Messages beyond a percentile that it takes to speak of it in one repeat. */
    private static final double FEWEST_BEYOND = 10;

    boolean isMean() {
        return Double.isNaN(part);
    }

    /** Whether so many messages have such a percentile. */
    boolean isIn(final long messages) {
        return isMean() || messages * (1 - part) >= FEWEST_BEYOND;
    }
}
