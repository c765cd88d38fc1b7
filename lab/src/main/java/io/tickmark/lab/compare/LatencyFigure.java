package io.tickmark.lab.compare;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.Percentiles;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * One figure of a latency distribution.
 *
 * @param name as in JSON: {@code p99}
 * @param part of the messages that are not slower; NaN for the mean
 * @param summary takes it from a summary; NaN where it is absent
 */
record LatencyFigure(String name, double part, ToDoubleFunction<LatencySummary> summary) {
    /** All compared figures; the maximum is one message, for which there is no interval. */
    static final List<LatencyFigure> ALL =
            List.of(
                    new LatencyFigure("mean", Double.NaN, LatencySummary::mean),
                    new LatencyFigure("p50", 0.5, latency -> orNaN(latency.p50())),
                    new LatencyFigure("p90", 0.9, latency -> orNaN(latency.p90())),
                    new LatencyFigure("p99", 0.99, latency -> orNaN(latency.p99())),
                    new LatencyFigure("p999", 0.999, latency -> orNaN(latency.p999())));

    private static double orNaN(final OptionalLong ns) {
        return ns.isPresent() ? ns.getAsLong() : Double.NaN;
    }

    boolean isMean() {
        return Double.isNaN(part);
    }

    /** Whether this many messages are enough for the percentile. */
    boolean isIn(final long messages) {
        return isMean() || Percentiles.isReportable(messages, 100 * part);
    }
}
