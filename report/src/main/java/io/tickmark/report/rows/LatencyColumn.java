package io.tickmark.report.rows;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.tickmark.kernel.result.LatencySummary;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A column of the tables of latencies, on the terminal and on the page, which is told the list.
 *
 * @param title such as {@code 99.9 %}
 * @param key name of the figure in a result
 * @param band end of the band of percentiles that the figure is in, 0 where it is in none
 * @param isPrinted whether tables of text have it, which must not be wide
 * @param figure the figure, ns; {@code NaN} where too few messages were measured for it
 */
@JsonIgnoreProperties({"isPrinted", "printed", "figure"})
public record LatencyColumn(
        String title,
        String key,
        double band,
        boolean isPrinted,
        ToDoubleFunction<LatencySummary> figure) {
    /** All, in their order; a column is added here and nowhere else. */
    public static final List<LatencyColumn> ALL =
            List.of(
                    figure("stdev", "stdev", LatencySummary::stdev),
                    figure("ave", "mean", LatencySummary::mean),
                    figure("min", "min", LatencySummary::min),
                    percentile("50 %", "p50", 0, LatencySummary::p50),
                    percentile("90 %", "p90", 90, LatencySummary::p90),
                    percentile("99 %", "p99", 99, LatencySummary::p99),
                    percentile("99.9 %", "p999", 99.9, LatencySummary::p999).onThePageAlone(),
                    percentile("99.99 %", "p9999", 100, LatencySummary::p9999),
                    new LatencyColumn("max", "max", 100, true, LatencySummary::max));

    private static LatencyColumn figure(
            final String title, final String key, final ToDoubleFunction<LatencySummary> figure) {
        return new LatencyColumn(title, key, 0, true, figure);
    }

    private static LatencyColumn percentile(
            final String title,
            final String key,
            final double band,
            final Function<LatencySummary, OptionalLong> figure) {
        return new LatencyColumn(
                title,
                key,
                band,
                true,
                latency -> {
                    final OptionalLong ns = figure.apply(latency);
                    return ns.isPresent() ? ns.getAsLong() : Double.NaN;
                });
    }

    private LatencyColumn onThePageAlone() {
        return new LatencyColumn(title, key, band, false, figure);
    }
}
