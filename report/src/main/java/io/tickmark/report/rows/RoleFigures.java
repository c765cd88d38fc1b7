package io.tickmark.report.rows;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.stats.Summaries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One figure that the roles of one name report, over all of them and all repeats.
 *
 * @param role name of the roles
 * @param metric name of the figure, its unit in the name
 * @param values as reported; numbers or text
 */
public record RoleFigures(String role, String metric, List<Object> values) {
    private static final int MOST_TEXTS = 4;

    /** Copies the list. */
    public RoleFigures {
        values = List.copyOf(values);
    }

    /**
     * The figures of a block, each role's of a trial once.
     *
     * @param block test and channel
     * @return in the order in which the roles name them
     */
    public static List<RoleFigures> of(final Block block) {
        final Map<String, Map<String, List<Object>>> found = new LinkedHashMap<>();
        block.roles().stream()
                .flatMap(List::stream)
                .forEach(role -> {
                    role.metrics().forEach((metric, value) -> add(role, metric, value, found));
                    SuiteLines.ofJitter(role)
                            .ifPresent(line -> add(role, SuiteLines.FIGURES, line, found));
                });
        final List<RoleFigures> figures = new ArrayList<>();
        found.forEach((role, metrics) ->
                metrics.forEach(
                        (metric, values) -> figures.add(new RoleFigures(role, metric, values))));
        return figures;
    }

    private static void add(
            final RoleSummary role,
            final String metric,
            final Object value,
            final Map<String, Map<String, List<Object>>> found) {
        if (value != null) {
            found.computeIfAbsent(role.role(), name -> new LinkedHashMap<>())
                    .computeIfAbsent(metric, name -> new ArrayList<>())
                    .add(value);
        }
    }

    /**
     * Whether it can be ordered.
     *
     * @return true where every value is a number
     */
    public boolean isNumber() {
        return values.stream().allMatch(Number.class::isInstance);
    }

    /**
     * Whether it says what the role's process used, which every role reports.
     *
     * @return true for CPU, memory and a late start
     */
    public boolean isOfProcess() {
        return metric.startsWith("cpuPercent")
                || metric.startsWith("residentBytes")
                || metric.equals(RoleSummary.START_LATE_NS);
    }

    /**
     * Median and spread.
     *
     * @return of all values, which must be numbers
     */
    public io.tickmark.kernel.result.Aggregate.Spread spread() {
        return Summaries.spread(
                values.stream().mapToDouble(value -> ((Number) value).doubleValue()).toArray());
    }

    /**
     * The texts where it is not a number, each once and of many the first few, with how many more
     * there are. Words are one text; what has commas of its own, as a line in the words of another
     * tool, stays apart from the next.
     *
     * @return each to be shown on a line of its own
     */
    public List<String> texts() {
        final List<String> distinct = values.stream().map(Object::toString).distinct().toList();
        final List<String> shown = distinct.stream().limit(MOST_TEXTS).toList();
        final String more =
                distinct.size() > shown.size()
                        ? "and " + (distinct.size() - shown.size()) + " more in result.json"
                        : "";
        if (shown.stream().noneMatch(text -> text.contains(","))) {
            final String joined = String.join(", ", shown);
            return List.of(more.isEmpty() ? joined : joined + " " + more);
        }
        final List<String> apart = new ArrayList<>(shown);
        if (!more.isEmpty()) {
            apart.add(more);
        }
        return apart;
    }
}
