package io.tickmark.report.rows;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A figure in the table of all tests, on the terminal and on the page, which is told the list.
 *
 * @param title such as {@code 99.9 %}
 * @param kind how it is written, and for the page what has it: a row, its headline latency or its
 *     counts
 * @param key its name there
 * @param aside whether a narrow page leaves it out
 * @param figure the figure of a row; {@code NaN} where it is not known
 */
@JsonIgnoreProperties("figure")
public record OverviewColumn(
        String title, Kind kind, String key, boolean aside, ToDoubleFunction<MergedRow> figure) {
    /** How a figure is written. */
    public enum Kind {
        /** A rate of a row, per second. */
        RATE,

        /** A figure of the headline latency, ns. */
        TIME,

        /** A count of messages. */
        COUNT
    }

    /** Lost messages; what an echo service received that is not a role is not known. */
    public static final OverviewColumn LOST =
            new OverviewColumn(
                    "lost",
                    Kind.COUNT,
                    "lost",
                    false,
                    row -> row.isForeignEcho() ? Double.NaN : row.sum(TrialResult::lost));

    /** Pings whose echo did not come in time; late ones are not lost. */
    public static final OverviewColumn NO_ECHO =
            new OverviewColumn(
                    "no echo",
                    Kind.COUNT,
                    "notEchoed",
                    false,
                    row -> row.sum(TrialResult::notEchoed));

    /**
     * All, in their order; a column of a figure that the page has is added here and nowhere else.
     */
    public static final List<OverviewColumn> ALL =
            List.of(
                    new OverviewColumn(
                            "rate",
                            Kind.RATE,
                            "achievedRatePerSecond",
                            true,
                            row -> row.median(TrialResult::echoedRatePerSecond)),
                    percentile("50 %", "p50", false, LatencySummary::p50),
                    percentile("99 %", "p99", false, LatencySummary::p99),
                    percentile("99.9 %", "p999", true, LatencySummary::p999),
                    time("longest", "max", false, LatencySummary::max),
                    LOST,
                    NO_ECHO);

    private static OverviewColumn time(
            final String title,
            final String key,
            final boolean aside,
            final ToDoubleFunction<LatencySummary> figure) {
        return new OverviewColumn(
                title,
                Kind.TIME,
                key,
                aside,
                row ->
                        row.headline()
                                .flatMap(row::latency)
                                .map(figure::applyAsDouble)
                                .orElse(Double.NaN));
    }

    private static OverviewColumn percentile(
            final String title,
            final String key,
            final boolean aside,
            final Function<LatencySummary, OptionalLong> figure) {
        return time(
                title,
                key,
                aside,
                latency -> {
                    final OptionalLong ns = figure.apply(latency);
                    return ns.isPresent() ? ns.getAsLong() : Double.NaN;
                });
    }
}
