package io.tickmark.report.page;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.report.rows.LatencyColumn;
import io.tickmark.report.rows.OneWayFigures;
import io.tickmark.report.rows.OverviewColumn;
import io.tickmark.report.rows.SideTable;
import io.tickmark.report.rows.SlowestMessages;
import io.tickmark.report.series.PercentileCurve;
import io.tickmark.report.words.KeyFigures.KeyFigure;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Everything that the page shows, as stored in the file as JSON. The page's script declares the
 * same shapes.
 *
 * @param plan name of the plan
 * @param description of the plan, empty where it has none
 * @param startedAt ISO-8601 time with offset
 * @param tickmark version of the tool
 * @param host the machine on one line
 * @param verdict in words
 * @param sentences the few to read first; none where there are notes
 * @param notes what an answer says besides its headline, by title
 * @param keyFigures the few figures to see first
 * @param cautions sentences
 * @param missing sentences about what the report could not show
 * @param tests in the order of the plan
 * @param searches what searches for the highest rate found
 * @param references their answers compared with figures of another source, null where there are
 *     none
 * @param noise largest noise floor of the run, null where it was not measured
 * @param checks properties of the host that affect the figures
 * @param environment groups of names and values
 * @param planText the resolved plan, empty where it is missing
 * @param raw every row of the run
 */
public record PageData(
        String plan,
        String description,
        String startedAt,
        String tickmark,
        String host,
        Words verdict,
        List<String> sentences,
        List<Answer.Note> notes,
        List<KeyFigure> keyFigures,
        List<String> cautions,
        List<String> missing,
        List<Test> tests,
        List<SearchSummary> searches,
        SideTable references,
        NoiseSummary noise,
        List<Check> checks,
        List<Group> environment,
        String planText,
        Table raw) {

    /**
     * The verdict.
     *
     * @param kind {@code pass}, {@code fail}, {@code void} or {@code measured}
     * @param word for it
     * @param sentence what it means for this run
     * @param reasons sentences
     */
    public record Words(String kind, String word, String sentence, List<String> reasons) {}

    /**
     * A finding about the host.
     *
     * @param severity {@code warning} or {@code note}
     * @param sentence the finding and what to do
     */
    public record Check(String severity, String sentence) {}

    /**
     * One test on all its channels.
     *
     * @param name of the test
     * @param loop {@code closed}, {@code open}, {@code stream}, or {@code general} for workloads
     *     with figures of their own
     * @param sentence the best and the worst in it; may be empty
     * @param circumstances one line: kind of latency, rate, repeats, noise, threads on cores
     * @param latencyColumns of its tables of latencies
     * @param overviewColumns of the table of all tests
     * @param tables stores, rate on the wire, losses; without empty ones
     * @param slowest what delayed its slowest messages
     * @param blocks one for each channel
     */
    public record Test(
            String name,
            String loop,
            String sentence,
            String circumstances,
            List<LatencyColumn> latencyColumns,
            List<OverviewColumn> overviewColumns,
            List<SideTable> tables,
            Slowest slowest,
            List<Block> blocks) {}

    /**
     * The slowest messages of a test.
     *
     * @param columns of the lists
     * @param lists one for each step of a channel, those with the longest latencies first
     * @param notes which lists are missing and why, sentences
     */
    public record Slowest(List<String> columns, List<SlowestMessages> lists, List<String> notes) {}

    /**
     * One test on one channel.
     *
     * @param channel as the plan has it
     * @param noiseMaxNs longest gap of the noise floors around it, 0 where not measured
     * @param rows one for each step
     * @param timeLines one for each repeat that left data
     * @param roles figures that the roles report; only for general tests
     * @param oneWays one-way latencies derived from its round trips
     */
    public record Block(
            String channel,
            long noiseMaxNs,
            List<Row> rows,
            List<TimeLineData> timeLines,
            List<RoleFigure> roles,
            List<OneWay> oneWays) {}

    /**
     * A derived one-way latency of one test and channel.
     *
     * @param title what it is and how it was derived
     * @param steps one for each message size
     */
    public record OneWay(String title, List<OneWayFigures.Step> steps) {}

    /**
     * A figure of the roles of one name.
     *
     * @param role name of the roles
     * @param metric name of the figure
     * @param text where it is not a number, otherwise empty
     * @param spread over roles and repeats; null where it is not a number
     */
    public record RoleFigure(String role, String metric, String text, Aggregate.Spread spread) {}

    /**
     * One step, its repeats merged.
     *
     * @param step number from 0
     * @param name what distinguishes it from the other steps; may be empty
     * @param payloadBytes message length
     * @param verdict {@code pass}, {@code fail} or {@code void}
     * @param labels words that qualify the figures
     * @param noisy whether noise could explain the tail
     * @param disturbed percentiles (90, 99, 99.9, 100 for the maximum) of whose latency above the
     *     median more than a tenth is the machine's
     * @param counts sent, expected, received, lost, duplicated, reordered, notTimed, maxTightSends,
     *     hotThreads, cores
     * @param offeredRatePerSecond 0 where the schedule has no rate
     * @param achievedRatePerSecond what was sent
     * @param latencies figures by name of the latency
     * @param curves percentile curves by name of the latency, of all repeats added up
     */
    public record Row(
            int step,
            String name,
            int payloadBytes,
            String verdict,
            List<String> labels,
            boolean noisy,
            List<Double> disturbed,
            Map<String, Long> counts,
            double offeredRatePerSecond,
            double achievedRatePerSecond,
            Map<String, LatencySummary> latencies,
            Map<String, PercentileCurve> curves) {}

    /**
     * A repeat over time; all times are seconds from its first point.
     *
     * @param repeat from 1
     * @param steps in the order of time
     * @param latencies by name, the headline first
     * @param ratesPerSecond by name of the counter ({@code sent}, {@code received}, those of the
     *     workload), summed over roles
     * @param roles CPU and memory, one for each role
     * @param roleCount number of roles, including those omitted in {@code roles}
     * @param latencyCount number of latencies, including those omitted in {@code latencies}
     * @param rateCount number of counters that moved, including those omitted in {@code
     *     ratesPerSecond}
     */
    public record TimeLineData(
            int repeat,
            List<Span> steps,
            Map<String, LatencyLine> latencies,
            Map<String, Line> ratesPerSecond,
            List<RoleLines> roles,
            int roleCount,
            int latencyCount,
            int rateCount) {}

    /**
     * The time of a step.
     *
     * @param step its number
     * @param name what distinguishes it from the other steps; may be empty
     * @param fromSeconds when it began
     * @param toSeconds when it ended
     */
    public record Span(int step, String name, double fromSeconds, double toSeconds) {}

    /**
     * A latency over time, in columns.
     *
     * @param atSeconds of each point
     * @param step of each point
     * @param p50Ns of each point; null in JSON where there are too few messages
     * @param p99Ns of each point; likewise
     * @param maxNs of each point
     */
    public record LatencyLine(
            List<Double> atSeconds,
            List<Integer> step,
            List<OptionalLong> p50Ns,
            List<OptionalLong> p99Ns,
            List<Long> maxNs) {}

    /**
     * A figure over time, in columns.
     *
     * @param atSeconds of each point
     * @param values of each point, five digits
     */
    public record Line(List<Double> atSeconds, List<Double> values) {}

    /**
     * The resource usage of a role over time.
     *
     * @param role its name, with its number where there are several
     * @param cpuPercent of one core
     * @param residentMiB memory
     */
    public record RoleLines(String role, Line cpuPercent, Line residentMiB) {}

    /**
     * A group of facts.
     *
     * @param name of the group
     * @param facts names and values
     */
    public record Group(String name, List<Fact> facts) {}

    /**
     * A fact.
     *
     * @param name with its unit
     * @param value as text
     */
    public record Fact(String name, String value) {}

    /**
     * A table.
     *
     * @param columns names
     * @param rows numbers and text
     */
    public record Table(List<String> columns, List<List<Object>> rows) {}
}
