package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.LatencyRow;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Round trips of our latency test, each role in a separate JVM: a closed loop, and then half as
 * many a second as that reached. The figure named after a size is the closed loop's median in ns.
 *
 * @param frontDoor to run it
 * @param channel to measure
 * @param sizes message lengths
 * @param settings of the run
 */
record OurRoundTrips(
        PlanRunner frontDoor, String channel, List<Integer> sizes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String AT_HALF = " at half";

    @Override
    public String name() {
        return "tickmark " + channel;
    }

    /**
     * What is shown in full of round trips.
     *
     * @param what is measured, with a place for the size
     * @param sizes message lengths
     * @param peers that tell more than a median
     * @param ours the rest, at half of the highest rate too
     * @return a row for each
     */
    static List<LatencyRow> latencies(
            final String what,
            final List<Integer> sizes,
            final List<Contestant> peers,
            final Contestant ours) {
        final List<LatencyRow> rows = new ArrayList<>();
        for (final int size : sizes) {
            final String figures = Integer.toString(size);
            final String each = what.formatted(size);
            rows.add(new LatencyRow(each, ours.name(), figures));
            peers.forEach(peer -> rows.add(new LatencyRow(each, peer.name(), figures)));
            rows.add(
                    new LatencyRow(
                            each + ", half of its highest rate", ours.name(), figures + AT_HALF));
        }
        return rows;
    }

    @Override
    public Map<String, Double> measure() {
        final Map<String, Double> figures = new HashMap<>();
        final TestPlan closed = test(sizes).setting("samples", settings.samples()).build();
        for (final TrialResult row : rows(closed)) {
            final LatencySummary roundTrip = latency(row, Latencies.ROUND_TRIP_NS);
            final String size = Integer.toString(row.payloadBytes());
            figures.put(size, (double) roundTrip.p50().orElseThrow());
            LatencyFigures.put(figures, size, row, roundTrip);
            final int payloadBytes = row.payloadBytes();
            final long half = Math.max(1, Math.round(row.achievedRatePerSecond() / 2));
            figures.putAll(LatencyFigures.ifMeasured(() -> paced(payloadBytes, half)));
        }
        return figures;
    }

    private Map<String, Double> paced(final int payloadBytes, final long ratePerSecond) {
        final Map<String, Double> figures = new HashMap<>();
        final TestPlan paced =
                test(List.of(payloadBytes))
                        .setting("rate", ratePerSecond)
                        .setting("duration", settings.seconds() + "s")
                        .build();
        for (final TrialResult row : rows(paced)) {
            LatencyFigures.put(
                    figures,
                    row.payloadBytes() + AT_HALF,
                    row,
                    latency(row, Latencies.RESPONSE_NS));
        }
        return figures;
    }

    private TestPlan.Builder test(final List<Integer> ofSizes) {
        final Cores cores = settings.pinning();
        return TestPlan.builder("round-trip", "latency")
                .channel(channel)
                .setting("sizes", ofSizes)
                .setting("warmUp", settings.warmUpSeconds() + "s")
                .role(PlanRunner.role("latency-pub", cores.sender()))
                .role(PlanRunner.role("latency-sub", cores.receiver()));
    }

    private List<TrialResult> rows(final TestPlan test) {
        return frontDoor.run(
                test, LIMIT.plusSeconds(settings.warmUpSeconds() + settings.seconds()));
    }

    private LatencySummary latency(final TrialResult row, final String latency) {
        return row.latency(latency)
                .orElseThrow(() ->
                        new NotMeasured(name() + " has no " + latency + ": " + row.reasons()));
    }
}
