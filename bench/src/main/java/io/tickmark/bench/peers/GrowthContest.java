package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.bench.kernel.RecordedValues;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntFunction;

/**
 * Whether a message costs the same however many there are to serve: the processor time of the
 * server's process for each copy, at the same number of copies a second, with few and with many
 * consumers, items and sessions; and what recording one value costs among few and among many.
 *
 * @param root of the project
 * @param children that starts programs
 * @param frontDoor to run plans
 * @param settings of the run
 */
record GrowthContest(
        Path root, Children children, PlanRunner frontDoor, SideBySideSettings settings) {
    private static final String COST = "ns";
    private static final int COPIES_PER_SECOND = 20_000;
    private static final int UPDATES_PER_SECOND = 50_000;

    /** So long that what is compiled before weighs little. */
    private static final int SECONDS = 15;

    /** Within a fifth of what it costs where there are few. */
    private static final Goal FLAT = new Goal.AtMost(1.2);

    private static final Criteria ANY =
            Settings.read(
                    Criteria.class, Map.of("maxLostPart", 1, "minRateHeldPart", 0), key -> key);

    Contest contest() {
        final List<Contestant> contestants = new ArrayList<>();
        final List<Row> rows = new ArrayList<>();
        add(
                "FIX gateway, CPU time for each copy",
                "consumer",
                List.of(10, 1, 100, 1_000),
                this::fix,
                contestants,
                rows);
        add(
                "market-data provider, CPU time for each update",
                "item",
                List.of(100, 1, 10_000, 100_000, 350_000),
                this::market,
                contestants,
                rows);
        add(
                "feed server, CPU time for each message",
                "session",
                List.of(10, 1, 100, 1_000, 5_000),
                this::feed,
                contestants,
                rows);
        add(
                "recording one latency",
                "value",
                List.of(1_000_000, 1_000, 1_000_000_000),
                this::recording,
                contestants,
                rows);
        return new Contest("growth", contestants, rows);
    }

    /** The first count is what the others are compared with. */
    private static void add(
            final String what,
            final String noun,
            final List<Integer> counts,
            final IntFunction<Contestant> load,
            final List<Contestant> contestants,
            final List<Row> rows) {
        final Contestant base = load.apply(counts.getFirst());
        for (final int count : counts) {
            final Contestant contestant = count == counts.getFirst() ? base : load.apply(count);
            contestants.add(contestant);
            if (contestant != base) {
                rows.add(
                        Row.ratio(
                                what + ", " + Plural.of(count, noun),
                                COST,
                                contestant.name(),
                                base.name(),
                                Unit.NANOSECONDS,
                                count > counts.getFirst() ? FLAT : new Goal.Shown()));
            }
        }
    }

    private Contestant fix(final int consumers) {
        return new Load(
                Plural.of(consumers, "FIX consumer"),
                "fix-gateway",
                TestPlan.builder("growth-fix", "fix")
                        .channel("tickmark:")
                        .setting("idle", "block")
                        .criteria(ANY)
                        .role(RolePlan.of("fix-gateway", Map.of("exitAtEnd", true)))
                        .role(
                                RolePlan.of(
                                        "fix-consumers",
                                        Map.of("consumers", consumers, "progressEvery", 0)))
                        .role(
                                RolePlan.of(
                                        "fix-producers",
                                        Map.of(
                                                "producers",
                                                1,
                                                "rate",
                                                COPIES_PER_SECOND / consumers,
                                                "every",
                                                1,
                                                "warmUp",
                                                settings.warmUpSeconds() + "s",
                                                "duration",
                                                SECONDS + "s")))
                        .build());
    }

    private Contestant market(final int items) {
        return new Load(
                Plural.of(items, "item"),
                "market-provider",
                TestPlan.builder("growth-market", "market")
                        .setting("itemCount", items)
                        .setting("requestRate", 200_000)
                        .setting("updateRate", UPDATES_PER_SECOND)
                        .setting("idle", "block")
                        .setting("steadyStateTime", settings.seconds() + "s")
                        .setting("delaySteadyStateCalc", settings.warmUpSeconds() + "s")
                        .criteria(ANY)
                        .role(
                                RolePlan.of(
                                        "market-provider",
                                        Map.of("port", 0, "endWithConsumers", true)))
                        .role(RolePlan.of("market-consumer", Map.of()))
                        .build());
    }

    private Contestant feed(final int sessions) {
        return new Load(
                Plural.of(sessions, "session"),
                "feed-server",
                TestPlan.builder("growth-feed", "feed")
                        .setting("symbols", 400)
                        .setting("rate", COPIES_PER_SECOND / sessions)
                        .setting("flush", "0ms")
                        .setting("clients", sessions)
                        .setting("warmUp", settings.warmUpSeconds() + "s")
                        .setting("duration", SECONDS + "s")
                        .criteria(ANY)
                        .role(RolePlan.of("feed-server", Map.of()))
                        .role(RolePlan.of("feed-clients", Map.of()))
                        .build());
    }

    private Contestant recording(final int values) {
        return new Contestant() {
            @Override
            public String name() {
                return Plural.of(values, "value");
            }

            @Override
            public Map<String, Double> measure() {
                try (Child child =
                        children.start(
                                "recorded-values",
                                JavaCommand.of(
                                        root,
                                        RecordedValues.class.getName(),
                                        List.of(Integer.toString(values))))) {
                    return Map.of(
                            COST,
                            FigureLine.figure(
                                    child.await(Duration.ofSeconds(120), List.of(0)), "ns"));
                }
            }
        };
    }

    /** A plan, of which the processor time of one role counts. */
    private final class Load implements Contestant {
        private static final Duration LIMIT = Duration.ofSeconds(120);

        private final String name;
        private final String server;
        private final TestPlan test;

        Load(final String name, final String server, final TestPlan test) {
            this.name = name;
            this.server = server;
            this.test = test;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Map<String, Double> measure() {
            final TrialResult row = frontDoor.run(test, LIMIT).getLast();
            if (row.lost() > 0 || row.received() == 0) {
                throw new NotMeasured(
                        "%s lost %d of %d messages.".formatted(name, row.lost(), row.expected()));
            }
            // of the steady state where the role tells that, otherwise of the whole trial
            final OptionalDouble steadyNs = metric(row, "cpuNsPerUpdate");
            if (steadyNs.isPresent()) {
                return Map.of(COST, steadyNs.getAsDouble());
            }
            final double percent =
                    metric(row, "cpuPercentMean")
                            .orElseThrow(() ->
                                    new NotMeasured(name + ": " + server + " tells no CPU time."));
            return Map.of(COST, percent / 100 * 1e9 / (row.received() * 1e9 / row.durationNs()));
        }

        private OptionalDouble metric(final TrialResult row, final String metric) {
            return row.roles().stream()
                    .filter(role -> role.role().equals(server))
                    .map(role -> role.metrics().get(metric))
                    .filter(Number.class::isInstance)
                    .mapToDouble(value -> ((Number) value).doubleValue())
                    .findFirst();
        }
    }
}
