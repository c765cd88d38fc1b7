package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Market data from a provider to a consumer, directly or through the hub; the figure is the mean
 * response time of updates in the steady state, in ns, of a trial in which nothing was lost.
 *
 * @param frontDoor to run it
 * @param throughHub whether the hub stands between the two
 */
record MarketPath(FrontDoor frontDoor, boolean throughHub) implements Contestant {
    static final String MEAN = "mean";

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int ITEMS = 10_000;
    private static final int UPDATES_PER_SECOND = 100_000;
    private static final String STEADY_STATE = "steady state";

    @Override
    public String name() {
        return throughHub ? "tickmark market through hub" : "tickmark market direct";
    }

    @Override
    public Map<String, Double> measure() {
        final TestPlan.Builder test =
                TestPlan.builder("market-path", "market")
                        .setting("itemCount", ITEMS)
                        .setting("updateRate", UPDATES_PER_SECOND)
                        .setting("latencyUpdateRate", "all")
                        .setting("steadyStateTime", "10s")
                        // what piles up while cold JVMs fetch the images is no steady state
                        .setting("delaySteadyStateCalc", "3s")
                        .role(role("market-provider", Map.of("port", 0, "endWithConsumers", true)));
        if (throughHub) {
            test.role(
                    role(
                            "market-hub",
                            Map.of("port", 0, "publisherPort", -1, "endWithConsumers", true)));
        }
        test.role(role("market-consumer", Map.of()));
        return figures(frontDoor.run(test.build(), LIMIT));
    }

    private static RolePlan role(final String role, final Map<String, Object> settings) {
        return new RolePlan(role, 1, settings, List.of(), "", null, null, null, null);
    }

    private Map<String, Double> figures(final List<TrialResult> rows) {
        final TrialResult steady =
                rows.stream()
                        .filter(row -> row.label().equals(STEADY_STATE))
                        .findFirst()
                        .orElseThrow(() -> new NotMeasured(name() + " had no steady state."));
        if (steady.lost() > 0) {
            throw new NotMeasured(name() + " lost " + steady.lost() + " updates.");
        }
        return Map.of(
                MEAN,
                steady.latency(Latencies.RESPONSE_NS)
                        .map(LatencySummary::mean)
                        .orElseThrow(() ->
                                new NotMeasured(
                                        name() + " has no " + Latencies.RESPONSE_NS + ".")));
    }
}
