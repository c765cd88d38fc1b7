package io.tickmark.kernel.result;

import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * The whole result of a run: the content of {@code result.json}.
 *
 * @param schema name and version of this format
 * @param tickmark version of the tool
 * @param startedAt ISO-8601 time with offset
 * @param plan name of the plan; the whole resolved plan is beside it as plan.yaml
 * @param verdict the worst of all trials
 * @param reasons of the verdict, sentences
 * @param trials one row for each step of each repeat of each test
 * @param aggregates one row for each step of each test over its repeats
 * @param searches what searches for the highest rate have found, one for each test and channel
 *     searched; trials at the answer are among the trials
 * @param noise largest noise floor seen in the run; null where none was measured
 * @param environment of the host, by group and name
 * @param answer what the command was asked to find out; null where the rows and the verdict are all
 */
public record RunResult(
        String schema,
        String tickmark,
        String startedAt,
        String plan,
        Verdict verdict,
        List<String> reasons,
        List<TrialResult> trials,
        List<Aggregate> aggregates,
        List<SearchSummary> searches,
        NoiseSummary noise,
        Map<String, Map<String, Object>> environment,
        Answer answer) {
    /** Value of {@link #schema()}. */
    public static final String SCHEMA = "tickmark.result/1";

    /**
     * The result of rows that no plan repeats or searches for, such as those of a single role.
     *
     * @param tickmark version of the tool
     * @param startedAt when it was started
     * @param name of what was run, in place of a plan's
     * @param rows judged
     * @param environment of the host, by group and name
     * @return with the worst verdict of the rows, and each of their reasons once
     */
    public static RunResult ofRows(
            final String tickmark,
            final OffsetDateTime startedAt,
            final String name,
            final List<TrialResult> rows,
            final Map<String, Map<String, Object>> environment) {
        return new RunResult(
                SCHEMA,
                tickmark,
                timeOf(startedAt),
                name,
                rows.stream().map(TrialResult::verdict).reduce(Verdict.PASS, Verdict::worse),
                rows.stream().flatMap(row -> row.reasons().stream()).distinct().toList(),
                rows,
                List.of(),
                List.of(),
                null,
                environment,
                null);
    }

    /**
     * The same run with an answer.
     *
     * @param found what the command was asked to find out
     * @return the result
     */
    public RunResult with(final Answer found) {
        return new RunResult(
                schema,
                tickmark,
                startedAt,
                plan,
                verdict,
                reasons,
                trials,
                aggregates,
                searches,
                noise,
                environment,
                found);
    }

    /**
     * A time as written in results.
     *
     * @param time when a run was started
     * @return to the second, which are written even where they are 0
     */
    public static String timeOf(final OffsetDateTime time) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.truncatedTo(ChronoUnit.SECONDS));
    }
}
