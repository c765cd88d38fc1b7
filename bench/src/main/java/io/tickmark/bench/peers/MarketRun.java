package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Market data from a provider to a consumer under one load; a run that lost an update, or did not
 * hold the rate, has no figures.
 *
 * @param frontDoor to run it
 * @param name of the contestant
 * @param load of the run
 */
record MarketRun(PlanRunner frontDoor, String name, MarketLoad load) implements Contestant {
    static final String MEAN = "mean";
    static final String P99 = "p99";
    static final String RATE = "rate";
    static final String IMAGES = "images";
    static final String RESIDENT = "resident";
    static final String CPU = "cpu";
    static final String CONSUMER_BYTES = "consumer bytes";
    static final String PROVIDER_BYTES = "provider bytes";

    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final double HELD_PART = 0.99;
    private static final String STEADY_STATE = "steady state";
    private static final String CONSUMER = "market-consumer";
    private static final String PROVIDER = "market-provider";

    @Override
    public Map<String, Double> measure() {
        final List<TrialResult> rows = frontDoor.run(load.test(), LIMIT);
        final Map<String, Double> figures = new HashMap<>();
        final TrialResult any = rows.getFirst();
        figures.put(IMAGES, metric(any, CONSUMER, "imagesPerSecond"));
        figures.put(RESIDENT, metric(any, CONSUMER, "residentBytesMax"));
        if (load.updatesPerSecond() > 0) {
            putSteady(figures, rows);
        }
        return figures;
    }

    private void putSteady(final Map<String, Double> figures, final List<TrialResult> rows) {
        final TrialResult steady =
                rows.stream()
                        .filter(row -> row.label().equals(STEADY_STATE))
                        .findFirst()
                        .orElseThrow(() -> new NotMeasured(name() + " had no steady state."));
        final double rate = steady.achievedRatePerSecond();
        if (steady.lost() > 0) {
            throw new NotMeasured(name() + " lost " + steady.lost() + " updates.");
        }
        if (rate < HELD_PART * load.updatesPerSecond()) {
            throw new NotMeasured(
                    "%s sent %.0f updates/s of %d.".formatted(name, rate, load.updatesPerSecond()));
        }
        final LatencySummary response =
                steady.latency(Latencies.RESPONSE_NS)
                        .orElseThrow(() -> new NotMeasured(name + " has no latencies."));
        figures.put(RATE, rate);
        figures.put(MEAN, response.mean());
        figures.put(P99, (double) response.p99().orElseThrow());
        figures.put(CONSUMER_BYTES, metric(steady, CONSUMER, "allocatedBytesPerUpdate"));
        figures.put(PROVIDER_BYTES, metric(steady, PROVIDER, "allocatedBytesPerUpdate"));
        figures.put(
                CPU,
                metric(steady, CONSUMER, "cpuNsPerUpdate")
                        + metric(steady, PROVIDER, "cpuNsPerUpdate"));
    }

    private double metric(final TrialResult row, final String role, final String metric) {
        return row.roles().stream()
                .filter(summary -> summary.role().equals(role))
                .map(summary -> summary.metrics().get(metric))
                .filter(Number.class::isInstance)
                .mapToDouble(value -> ((Number) value).doubleValue())
                .findFirst()
                .orElseThrow(
                        () -> new NotMeasured("%s: %s has no %s.".formatted(name, role, metric)));
    }
}
