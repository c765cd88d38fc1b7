package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.LatencyRow;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Market data: what direct connections hold, what the hub adds, one library against the other.
 *
 * @param frontDoor to run plans
 * @param settings of the run
 */
record MarketContests(PlanRunner frontDoor, SideBySideSettings settings) {
    private static final int FEW_ITEMS = 10_000;
    private static final int MANY_ITEMS = 100_000;
    private static final int UPDATES_PER_SECOND = 100_000;
    private static final int MOST_UPDATES_PER_SECOND = 800_000;
    private static final int FIRST_UPDATES_PER_SECOND = 50_000;
    private static final int REQUESTS_PER_SECOND = 200_000;
    private static final double US_NS = 1e3;
    private static final double MS_NS = 1e6;

    /** What is left is a row of statistics every five seconds. */
    private static final double NO_BYTES = 0.1;

    List<Contest> all() {
        return List.of(direct(), hub(), api());
    }

    private Contestant run(final String name, final MarketLoad load) {
        return new MarketRun(frontDoor, name, load);
    }

    private MarketLoad load(final int items, final int updatesPerSecond) {
        return MarketLoad.direct(items, updatesPerSecond, settings.seconds());
    }

    private MarketLoad mostUpdates() {
        return load(FEW_ITEMS, MOST_UPDATES_PER_SECOND).encodedOnce(true);
    }

    private Contest direct() {
        final Contestant images =
                run("images alone", load(MANY_ITEMS, 0).requested(REQUESTS_PER_SECOND));
        final Contestant few = run("10,000 items", load(FEW_ITEMS, UPDATES_PER_SECOND));
        final Contestant many = run("100,000 items", load(MANY_ITEMS, UPDATES_PER_SECOND));
        final Contestant most = run("highest rate", mostUpdates());
        // Looked for: at a rate that is too high for it, it would have no figure.
        final Contestant mostEncoded =
                new MarketRates(
                        frontDoor,
                        "highest rate, each encoded",
                        load(FEW_ITEMS, FIRST_UPDATES_PER_SECOND));
        final String updates = "market data, %,d updates/s on %,d items";
        return new Contest(
                "market",
                List.of(images, few, many, most, mostEncoded),
                List.of(
                        Row.figure(
                                "market data direct, images of 100,000 items",
                                MarketRun.IMAGES,
                                images.name(),
                                Unit.PER_SECOND,
                                new Goal.AtLeast(40_000)),
                        Row.figure(
                                "market data direct, 100,000 images while 100,000 updates/s flow",
                                MarketRun.IMAGES_S,
                                many.name(),
                                Unit.SECONDS,
                                new Goal.AtMost(1.5)),
                        response(
                                "100,000 updates/s on 10,000 items, mean",
                                MarketRun.MEAN,
                                few,
                                100 * US_NS),
                        response(
                                "100,000 updates/s on 10,000 items, p99",
                                MarketRun.P99,
                                few,
                                MS_NS),
                        response(
                                "100,000 updates/s on 100,000 items, mean",
                                MarketRun.MEAN,
                                many,
                                300 * US_NS),
                        response(
                                "100,000 updates/s on 100,000 items, p99",
                                MarketRun.P99,
                                many,
                                3 * MS_NS),
                        response(
                                "800,000 updates/s on 10,000 items, encoded once, mean",
                                MarketRun.MEAN,
                                most,
                                MS_NS),
                        Row.figure(
                                "market data direct, 10,000 items, each update encoded, highest rate held",
                                MarketRun.RATE,
                                mostEncoded.name(),
                                Unit.PER_SECOND,
                                new Goal.Shown()),
                        Row.figure(
                                "market data, resident memory of the consumer of 100,000 items",
                                MarketRun.RESIDENT,
                                many.name(),
                                Unit.BYTES,
                                new Goal.AtMost(400e6)),
                        allocated("consumer", MarketRun.CONSUMER_BYTES, many),
                        allocated("provider", MarketRun.PROVIDER_BYTES, many)),
                List.of(
                        new LatencyRow(
                                updates.formatted(UPDATES_PER_SECOND, FEW_ITEMS),
                                few.name(),
                                MarketRun.LATENCY),
                        new LatencyRow(
                                updates.formatted(UPDATES_PER_SECOND, MANY_ITEMS),
                                many.name(),
                                MarketRun.LATENCY),
                        new LatencyRow(
                                updates.formatted(MOST_UPDATES_PER_SECOND, FEW_ITEMS)
                                        + ", encoded once",
                                most.name(),
                                MarketRun.LATENCY),
                        new LatencyRow(
                                "market data, 10,000 items, each encoded, highest rate held",
                                mostEncoded.name(),
                                MarketRun.LATENCY),
                        new LatencyRow(
                                "market data, 10,000 items, each encoded, half of that rate",
                                mostEncoded.name(),
                                MarketRates.AT_HALF)));
    }

    private static Row response(
            final String what, final String figure, final Contestant run, final double atMostNs) {
        return Row.figure(
                "market data direct, %s response".formatted(what),
                figure,
                run.name(),
                Unit.NANOSECONDS,
                new Goal.AtMost(atMostNs));
    }

    private static Row allocated(final String role, final String figure, final Contestant run) {
        return Row.figure(
                "market data, the %s's thread allocates for an update".formatted(role),
                figure,
                run.name(),
                Unit.BYTES,
                new Goal.AtMost(NO_BYTES));
    }

    private Contest hub() {
        final MarketLoad load = load(FEW_ITEMS, UPDATES_PER_SECOND);
        final Contestant hub = run("tickmark market through hub", load.throughHub(true));
        final Contestant direct = run("tickmark market direct", load);
        return new Contest(
                "market-hub",
                List.of(hub, direct),
                List.of(
                        Row.ratio(
                                "market data at 100,000 updates/s with the hub in the path, mean response",
                                MarketRun.MEAN,
                                hub.name(),
                                direct.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(2))));
    }

    private Contest api() {
        final MarketLoad load = load(MANY_ITEMS, FIRST_UPDATES_PER_SECOND);
        final Contestant eta = new MarketRates(frontDoor, "roles on ETA", load);
        // named so that its figure is not taken for the vendor's, whose tools are much faster
        final Contestant ema =
                new MarketRates(
                        frontDoor, "our own roles on EMA, not the vendor's tools", load.on("ema"));
        return new Contest(
                "market-api",
                List.of(eta, ema),
                List.of(
                        Row.ratio(
                                "market data direct, 100,000 items, each update encoded, highest rate held",
                                MarketRun.RATE,
                                eta.name(),
                                ema.name(),
                                Unit.PER_SECOND,
                                new Goal.AtLeast(1.5)),
                        Row.ratio(
                                "the same, CPU time of both sides for an update at that rate",
                                MarketRun.CPU,
                                eta.name(),
                                ema.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(1))));
    }

    /**
     * The highest update rate that a load holds with nothing lost: doubled until it fails, then
     * halved; and the latencies at half of it.
     *
     * @param frontDoor to run it
     * @param name of the contestant
     * @param load whose rate is the first one tried
     */
    record MarketRates(PlanRunner frontDoor, String name, MarketLoad load) implements Contestant {
        private static final int HALVINGS = 3;
        private static final int MOST_DOUBLINGS = 7;
        private static final String AT_HALF = "latency at half";

        @Override
        public Map<String, Double> measure() {
            Map<String, Double> best = Map.of();
            int held = 0;
            int failed = 0;
            int next = load.updatesPerSecond();
            String why = "";
            for (int halvings = 0, doublings = 0;
                    halvings < HALVINGS && doublings < MOST_DOUBLINGS; ) {
                try {
                    best = new MarketRun(frontDoor, name, load.at(next)).measure();
                    held = next;
                } catch (final NotMeasured e) {
                    why = e.getMessage();
                    failed = next;
                }
                halvings += failed > 0 ? 1 : 0;
                doublings += failed > 0 ? 0 : 1;
                next = failed > 0 ? (held + failed) / 2 : 2 * next;
            }
            if (best.isEmpty()) {
                throw new NotMeasured(
                        "%s does not hold even %d updates/s: %s".formatted(name, failed, why));
            }
            final Map<String, Double> all = new HashMap<>(best);
            final MarketLoad atHalf = load.at(held / 2);
            final Map<String, Double> half =
                    LatencyFigures.ifMeasured(new MarketRun(frontDoor, name, atHalf)::measure);
            for (final LatencyRow.Part part : LatencyRow.Part.values()) {
                if (half.containsKey(part.of(MarketRun.LATENCY))) {
                    all.put(part.of(AT_HALF), half.get(part.of(MarketRun.LATENCY)));
                }
            }
            return all;
        }
    }

    /**
     * Market data from a provider to a consumer under one load; a run that lost an update, or did
     * not hold the rate, or held it with a queue that grew, has no figures.
     *
     * @param frontDoor to run it
     * @param name of the contestant
     * @param load of the run
     */
    private record MarketRun(PlanRunner frontDoor, String name, MarketLoad load)
            implements Contestant {
        static final String MEAN = "mean";
        static final String P99 = "p99";
        static final String RATE = "rate";
        static final String IMAGES = "images";
        static final String IMAGES_S = "images s";
        static final String LATENCY = "latency";
        static final String RESIDENT = "resident";
        static final String CPU = "cpu";
        static final String CONSUMER_BYTES = "consumer bytes";
        static final String PROVIDER_BYTES = "provider bytes";

        private static final Duration LIMIT = Duration.ofSeconds(180);
        private static final double HELD_PART = 0.99;

        /** A queue that grows takes every update that is offered, for as long as a run lasts. */
        private static final double MOST_MEAN_NS = 50 * MS_NS;

        private static final String STEADY_STATE = "steady state";
        private static final String CONSUMER = "market-consumer";
        private static final String PROVIDER = "market-provider";

        @Override
        public Map<String, Double> measure() {
            final List<TrialResult> rows = frontDoor.run(load.test(), LIMIT);
            final Map<String, Double> figures = new HashMap<>();
            final TrialResult any = rows.getFirst();
            figures.put(IMAGES, metric(any, CONSUMER, "imagesPerSecond"));
            figures.put(IMAGES_S, load.items() / figures.get(IMAGES));
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
                        "%s sent %.0f updates/s of %d."
                                .formatted(name, rate, load.updatesPerSecond()));
            }
            final LatencySummary response =
                    steady.latency(Latencies.RESPONSE_NS)
                            .orElseThrow(() -> new NotMeasured(name + " has no latencies."));
            if (response.mean() > MOST_MEAN_NS) {
                throw new NotMeasured(
                        "%s sent %.0f updates/s, behind which a queue grew: %.0f ms on average."
                                .formatted(name(), rate, response.mean() / MS_NS));
            }
            figures.put(RATE, rate);
            figures.put(MEAN, response.mean());
            figures.put(P99, (double) response.p99().orElseThrow());
            LatencyFigures.put(figures, LATENCY, steady, response);
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
                    .orElseThrow(() ->
                            new NotMeasured("%s: %s has no %s.".formatted(name, role, metric)));
        }
    }
}
