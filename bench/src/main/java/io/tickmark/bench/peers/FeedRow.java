package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.Map;

/**
 * A measurement of the price feed with one role: figures are the rate received, and mean and p99 of
 * the response time in ns.
 */
final class FeedRow {
    static final String RATE = "rate";
    static final String MEAN = "mean";
    static final String P99 = "p99";

    private static final Duration LIMIT = Duration.ofSeconds(120);

    private FeedRow() {}

    /** Measures; a lost message is no figure. */
    static Map<String, Double> measure(
            final PlanRunner frontDoor,
            final String name,
            final String role,
            final Map<String, Object> settings) {
        final TestPlan test =
                TestPlan.builder("row", "feed").role(RolePlan.of(role, settings)).build();
        final TrialResult row = frontDoor.run(test, LIMIT).getFirst();
        if (row.lost() > 0) {
            throw new NotMeasured(name + " lost " + row.lost() + " messages.");
        }
        final LatencySummary latency =
                row.latency(Latencies.RESPONSE_NS)
                        .orElseThrow(() -> new NotMeasured(name + " received nothing."));
        return Map.of(
                RATE,
                row.received() * 1e9 / row.durationNs(),
                MEAN,
                latency.mean(),
                P99,
                (double) latency.p99().orElseThrow());
    }
}
