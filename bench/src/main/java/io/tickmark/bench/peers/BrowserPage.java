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
 * The console's page in a real Chromium, 1,000 symbols, nothing merged: figures are the rate
 * received, and mean and p99 of the response time in ns.
 *
 * @param frontDoor to run it
 * @param name of the row
 * @param rate of the feed
 * @param flush interval, {@code 0ms} for one message a frame
 * @param renderer {@code table} or {@code canvas}
 */
record BrowserPage(FrontDoor frontDoor, String name, String rate, String flush, String renderer)
        implements Contestant {
    static final String RATE = "rate";
    static final String MEAN = "mean";
    static final String P99 = "p99";

    private static final Duration LIMIT = Duration.ofSeconds(120);

    @Override
    public Map<String, Double> measure() {
        final TestPlan test =
                TestPlan.builder("browser", "browser")
                        .setting("symbols", 1000)
                        .setting("rate", rate)
                        .setting("flush", flush)
                        .setting("renderer", renderer)
                        .setting("conflation", "buffer")
                        .setting("warmUp", "10s")
                        .setting("duration", "15s")
                        .role(
                                new RolePlan(
                                        "console-browser",
                                        1,
                                        Map.of(),
                                        List.of(),
                                        "",
                                        null,
                                        null,
                                        null,
                                        null))
                        .build();
        final TrialResult row = frontDoor.run(test, LIMIT).getFirst();
        final LatencySummary latency =
                row.latency(Latencies.RESPONSE_NS)
                        .orElseThrow(() -> new NotMeasured(name + " received nothing."));
        return Map.of(
                RATE,
                row.received() * 1e9 / row.durationNs(),
                MEAN,
                latency.mean(),
                P99,
                (double) latency.p99());
    }
}
