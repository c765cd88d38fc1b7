package io.tickmark.history;

import io.tickmark.history.HistoryPoint.Series;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of their messages that runs left out of their undisturbed figures: where these differ,
 * the figures are not of the same messages, and a change of them says nothing.
 *
 * @param byRun largest part of the repeats, 0 to 1, for each series of {@code
 *     undisturbedLeftOutPart.max} by id
 */
public record LeftOutParts(Map<Series, Map<String, Double>> byRun) {
    /** Latencies of messages that the machine did not hold up, beside those as measured. */
    static final String UNDISTURBED = "undisturbedNs.";

    /** The series that is stored with them. */
    static final String FIGURE = "undisturbedLeftOutPart.max";

    /** Copies the map. */
    public LeftOutParts {
        byRun = Map.copyOf(byRun);
    }

    /**
     * Means of what was left out.
     *
     * @param beforePart of runs before a change, 0 to 1
     * @param afterPart of those after it
     */
    public record Apart(double beforePart, double afterPart) {}

    static LeftOutParts of(final Map<Series, List<HistoryPoint>> trends) {
        final Map<Series, Map<String, Double>> byRun = new HashMap<>();
        trends.forEach((series, points) -> {
            final Map<String, Double> parts = new HashMap<>();
            points.forEach(point -> parts.put(point.run(), point.value()));
            byRun.put(series, parts);
        });
        return new LeftOutParts(byRun);
    }

    /**
     * Whether two parts of a series cannot be held against each other.
     *
     * @param before points of one series, at least one
     * @param after others of it, at least one
     * @return what they left out; empty where that is alike, or nothing is left out of the figure
     */
    public Optional<Apart> apart(final List<HistoryPoint> before, final List<HistoryPoint> after) {
        final Series series = before.getFirst().series();
        final Map<String, Double> parts =
                series.figure().startsWith(UNDISTURBED)
                        ? byRun.getOrDefault(series.withFigure(FIGURE), Map.of())
                        : Map.of();
        final Apart apart = new Apart(mean(before, parts), mean(after, parts));
        return Math.abs(apart.beforePart() - apart.afterPart()) > Undisturbed.MOST_APART
                ? Optional.of(apart)
                : Optional.empty();
    }

    private static double mean(final List<HistoryPoint> points, final Map<String, Double> parts) {
        return points.stream()
                .mapToDouble(point -> parts.getOrDefault(point.run(), 0.0))
                .average()
                .orElseThrow();
    }
}
