package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Aggregate.Spread;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One-way latency derived from closed loops, where all roles are on one host. To a single
 * subscriber it is half of the round trip. To the last of several, which echoes, it is the round
 * trip minus the return path, which is taken from the one-to-one test of the same run on the same
 * channel at the same size: without one there is none. Only means and medians: tails of sums cannot
 * be separated.
 */
public final class OneWay {
    /** Half of a one-to-one round trip. */
    public static final String ONE_WAY_NS = "oneWayNs";

    /** Round trip to the last of several subscribers less half of a one-to-one round trip. */
    public static final String ONE_WAY_TO_LAST_NS = "oneWayToLastNs";

    /** The figures of each. */
    public static final List<String> FIGURES = List.of("mean", "p50");

    private record Place(String channel, int payloadBytes, String host) {
        static Place of(final Aggregate aggregate, final TrialResult row) {
            return new Place(
                    aggregate.channel(),
                    aggregate.payloadBytes(),
                    row.roles().stream().findFirst().map(RoleSummary::host).orElse(""));
        }
    }

    private OneWay() {}

    /**
     * Adds what can be derived; {@code repeats} are the rows of the aggregate at the same index.
     */
    static List<Aggregate> added(
            final List<Aggregate> aggregates, final List<List<TrialResult>> repeats) {
        final Map<Place, Aggregate> oneToOne = new HashMap<>();
        for (int i = 0; i < aggregates.size(); i++) {
            final TrialResult any = repeats.get(i).getFirst();
            if (isEchoedHere(any) && any.subscribers() == 1) {
                oneToOne.putIfAbsent(Place.of(aggregates.get(i), any), aggregates.get(i));
            }
        }
        final List<Aggregate> added = new ArrayList<>();
        for (int i = 0; i < aggregates.size(); i++) {
            final Aggregate plain = aggregates.get(i);
            final TrialResult any = repeats.get(i).getFirst();
            final Aggregate base = oneToOne.get(Place.of(plain, any));
            if (!isEchoedHere(any) || base == null) {
                added.add(plain);
            } else if (any.subscribers() == 1) {
                added.add(with(plain, ONE_WAY_NS, plain, 0.5));
            } else {
                added.add(with(plain, ONE_WAY_TO_LAST_NS, base, 1));
            }
        }
        return added;
    }

    /** A foreign echo may be on another host; publishers report which program echoes. */
    private static boolean isEchoedHere(final TrialResult row) {
        return row.roles().stream().map(RoleSummary::host).distinct().count() == 1
                && row.latency(Latencies.ROUND_TRIP_NS).isPresent()
                && row.labels().contains(Labels.CLOSED_LOOP)
                && row.roles().stream()
                        .anyMatch(role -> "subscriber".equals(role.metrics().get("echo")));
    }

    /** {@code part} is 0.5 for half of the round trip, 1 for all of it less half of the base's. */
    private static Aggregate with(
            final Aggregate plain, final String name, final Aggregate base, final double part) {
        final Map<String, Spread> figures = new LinkedHashMap<>(plain.figures());
        for (final String figure : FIGURES) {
            final String roundTrip = Latencies.ROUND_TRIP_NS + "." + figure;
            final Spread whole = plain.figures().get(roundTrip);
            if (whole == null || !base.figures().containsKey(roundTrip)) {
                continue; // too few round trips for the figure
            }
            final double lessNs = part == 1 ? base.figures().get(roundTrip).median() / 2 : 0;
            figures.put(
                    name + "." + figure,
                    new Spread(
                            whole.median() * part - lessNs,
                            whole.min() * part - lessNs,
                            whole.max() * part - lessNs));
        }
        return new Aggregate(
                plain.test(),
                plain.channel(),
                plain.step(),
                plain.payloadBytes(),
                plain.repeats(),
                figures);
    }
}
