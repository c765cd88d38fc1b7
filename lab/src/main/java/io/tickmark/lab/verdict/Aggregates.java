package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.stats.Summaries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Median and spread of each figure over the repeats of a step, and what follows from them ({@link
 * OneWay}); void rows are skipped.
 */
public final class Aggregates {
    private Aggregates() {}

    /** Rows with the same key are repeats of each other. */
    private record Key(String test, String channel, int step) {}

    /**
     * Aggregates rows.
     *
     * @param rows of a run
     * @return one for each step of each test and channel that has a row which is not void
     */
    public static List<Aggregate> of(final List<TrialResult> rows) {
        final Map<Key, List<TrialResult>> byKey = new LinkedHashMap<>();
        for (final TrialResult row : rows) {
            if (row.verdict() != Verdict.VOID) {
                byKey.computeIfAbsent(
                                new Key(row.test(), row.channel(), row.step()),
                                key -> new ArrayList<>())
                        .add(row);
            }
        }
        return OneWay.added(
                byKey.entrySet().stream()
                        .map(entry -> aggregate(entry.getKey(), entry.getValue()))
                        .toList(),
                List.copyOf(byKey.values()));
    }

    private static Aggregate aggregate(final Key key, final List<TrialResult> repeats) {
        final Map<String, List<Double>> values = new LinkedHashMap<>();
        final boolean isOfPings =
                repeats.stream().allMatch(row -> row.counts().containsKey(Counts.TIMED_OUT));
        for (final TrialResult row : repeats) {
            if (isOfPings) {
                add(values, "echoedRatePerSecond", row.echoedRatePerSecond());
                add(values, "notEchoed", row.notEchoed());
            }
            add(values, "achievedRatePerSecond", row.achievedRatePerSecond());
            add(values, "lost", row.lost());
            add(values, "maxTightSends", row.maxTightSends());
            row.latencies().forEach((name, latency) -> addLatency(values, name, latency));
        }
        final Map<String, Aggregate.Spread> figures = new LinkedHashMap<>();
        values.forEach((name, list) -> {
            // A spread covers all repeats: a figure that one of them lacks has none.
            if (list.stream().noneMatch(value -> value.isNaN())) {
                figures.put(
                        name,
                        Summaries.spread(list.stream().mapToDouble(Double::doubleValue).toArray()));
            }
        });
        return new Aggregate(
                key.test(),
                key.channel(),
                key.step(),
                repeats.getFirst().payloadBytes(),
                repeats.size(),
                figures);
    }

    private static void addLatency(
            final Map<String, List<Double>> values,
            final String name,
            final LatencySummary latency) {
        add(values, name + ".mean", latency.mean());
        addIfPresent(values, name + ".p50", latency.p50());
        addIfPresent(values, name + ".p90", latency.p90());
        addIfPresent(values, name + ".p95", latency.p95());
        addIfPresent(values, name + ".p99", latency.p99());
        addIfPresent(values, name + ".p999", latency.p999());
        add(values, name + ".max", latency.max());
    }

    private static void addIfPresent(
            final Map<String, List<Double>> values, final String name, final OptionalLong ns) {
        add(values, name, ns.isPresent() ? ns.getAsLong() : Double.NaN);
    }

    private static void add(
            final Map<String, List<Double>> values, final String name, final double value) {
        values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }
}
