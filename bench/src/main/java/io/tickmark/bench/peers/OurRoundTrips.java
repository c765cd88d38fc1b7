package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Closed-loop round trips of our latency test, each role in a separate JVM; the figure named after
 * a size is its median in ns.
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

    @Override
    public String name() {
        return "tickmark " + channel;
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final TestPlan test =
                TestPlan.builder("round-trip", "latency")
                        .channel(channel)
                        .setting("sizes", sizes)
                        .setting("samples", settings.samples())
                        .setting("warmUp", settings.warmUpSeconds() + "s")
                        .role(PlanRunner.role("latency-pub", cores.sender()))
                        .role(PlanRunner.role("latency-sub", cores.receiver()))
                        .build();
        final Map<String, Double> figures = new HashMap<>();
        for (final TrialResult row :
                frontDoor.run(test, LIMIT.plusSeconds(settings.warmUpSeconds()))) {
            final LatencySummary roundTrip =
                    row.latency(Latencies.ROUND_TRIP_NS)
                            .orElseThrow(() ->
                                    new NotMeasured(
                                            name() + " has no round trips: " + row.reasons()));
            figures.put(
                    Integer.toString(row.payloadBytes()), (double) roundTrip.p50().orElseThrow());
        }
        return figures;
    }
}
