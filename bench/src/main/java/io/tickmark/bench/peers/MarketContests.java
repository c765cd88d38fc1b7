package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import java.util.List;
import java.util.Map;

/** Market data: what direct connections hold, what the hub adds, one library against the other. */
final class MarketContests {
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

    private final PlanRunner frontDoor;
    private final SideBySideSettings settings;

    MarketContests(final PlanRunner frontDoor, final SideBySideSettings settings) {
        this.frontDoor = frontDoor;
        this.settings = settings;
    }

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
        final Contestant mostEncoded =
                run("highest rate, each encoded", mostUpdates().encodedOnce(false));
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
                                "market data direct, 800,000 updates/s on 10,000 items, each encoded, mean response",
                                MarketRun.MEAN,
                                mostEncoded.name(),
                                Unit.NANOSECONDS,
                                new Goal.Shown()),
                        Row.figure(
                                "market data, resident memory of the consumer of 100,000 items",
                                MarketRun.RESIDENT,
                                many.name(),
                                Unit.BYTES,
                                new Goal.AtMost(400e6)),
                        allocated("consumer", MarketRun.CONSUMER_BYTES, many),
                        allocated("provider", MarketRun.PROVIDER_BYTES, many)));
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
        // named so that nobody takes its figure for the vendor's, whose tools are much faster
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
     * halved.
     *
     * @param frontDoor to run it
     * @param name of the contestant
     * @param load whose rate is the first one tried
     */
    private record MarketRates(PlanRunner frontDoor, String name, MarketLoad load)
            implements Contestant {
        private static final int HALVINGS = 3;
        private static final int MOST_DOUBLINGS = 7;

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
                        "%s holds not even %d updates/s: %s".formatted(name, failed, why));
            }
            return best;
        }
    }
}
