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
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.wire.match.WireFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * FIX fan-out gateways: ours, those on QuickFIX/J and on Artio, and the least one in C.
 *
 * @param frontDoor to run plans
 * @param minimal the least gateway, in C
 * @param settings of the run
 */
record FixContests(PlanRunner frontDoor, CProgram minimal, SideBySideSettings settings) {
    private static final FixLoad FULL = new FixLoad("full speed", 5, 20, 0, 0, 1, false);

    /**
     * Less than half of what the slowest of the gateways holds: a queue that grows has no latency.
     */
    private static final FixLoad PACED = new FixLoad("paced", 5, 20, 0, 150, 1, false);

    private static final FixLoad HALF = new FixLoad("half of it", 5, 20, 0, 0, 1, false);
    private static final FixLoad MANY = new FixLoad("many", 50, 200, 0, 100, 50, true);
    private static final FixLoad WHOLE = new FixLoad("all read", 5, 20, 0, 1000, 5, false);
    private static final FixLoad STALLED = new FixLoad("one stalled", 5, 21, 1, 1000, 5, false);

    private static final List<String> PERCENTILES = List.of("p50", "p99", "p99.9");
    private static final Contestant PUBLISHED = new Published();

    /** Enough for each of the gateway's workers (a half), the clients' threads and the capture. */
    private static final int CORES_OF_THE_DOCUMENT = 8;

    List<Contest> all() {
        return List.of(engines(), floor(), slowConsumer());
    }

    private Contestant run(final String engine, final FixLoad... loads) {
        return new FixGatewayRun(frontDoor, engine, minimal, false, List.of(loads), settings);
    }

    /** Ours doing what QuickFIX/J always does: each message is held against the dictionary. */
    private Contestant checking(final FixLoad... loads) {
        return new FixGatewayRun(frontDoor, "tickmark", minimal, true, List.of(loads), settings);
    }

    /**
     * Our gateway, once as fast as it can and once at a rate.
     *
     * @param name of the contestant
     * @return its figures are {@code full speed rate}, {@code paced p50}, {@code paced p99.9}
     */
    Contestant ours(final String name) {
        final Contestant ours = run("tickmark", FULL, PACED);
        return new Contestant() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Map<String, Double> measure() {
                return ours.measure();
            }
        };
    }

    private Contest engines() {
        final Contestant ours = run("tickmark", FULL, PACED);
        final Contestant checking = checking(FULL, PACED);
        final Contestant quickfixj = run("quickfixj", FULL, PACED);
        final Contestant artio = run("artio", FULL, PACED);
        final List<Row> rows = new ArrayList<>();
        rows.add(held(ours, 5e6));
        rows.add(held(checking, 3e6));
        rows.add(rate(ours, quickfixj, 15));
        rows.add(rate(ours, artio, 5));
        for (final Contestant peer : List.of(quickfixj, artio)) {
            addLatencies(rows, ours, peer);
        }
        rows.add(rate(checking, quickfixj, 1)); // both hold messages against a dictionary
        addLatencies(rows, checking, quickfixj);
        final List<LatencyRow> latencies = new ArrayList<>();
        for (final Contestant each : List.of(ours, checking, quickfixj, artio)) {
            latencies.add(
                    new LatencyRow(
                            "FIX fan-out 5 x %.0f msg/s to 20".formatted(PACED.ratePerSecond()),
                            each.name(),
                            PACED.name()));
            latencies.add(
                    new LatencyRow(
                            "FIX fan-out 5 to 20, half of its highest rate",
                            each.name(),
                            HALF.name()));
        }
        return new Contest("fix", List.of(ours, checking, quickfixj, artio), rows, latencies);
    }

    private static Row held(final Contestant ours, final double atLeast) {
        return Row.figure(
                "FIX fan-out 5 to 20, highest rate held" + how(ours),
                FULL.name() + " rate",
                ours.name(),
                Unit.PER_SECOND,
                new Goal.AtLeast(atLeast));
    }

    private static void addLatencies(
            final List<Row> rows, final Contestant ours, final Contestant peer) {
        rows.add(paced(ours, peer, "p50", 1));
        rows.add(paced(ours, peer, "p99.9", 0.5));
        rows.add(
                Row.ratio(
                        "FIX fan-out 5 to 20, CPU time of the gateway for each copy" + how(ours),
                        FULL.name() + " cpu",
                        ours.name(),
                        peer.name(),
                        Unit.NANOSECONDS,
                        new Goal.Shown()));
    }

    /** Distinguishes the rows of both of ours. */
    private static String how(final Contestant ours) {
        final int comma = ours.name().indexOf(',');
        return comma < 0 ? "" : ours.name().substring(comma);
    }

    private static Row rate(final Contestant ours, final Contestant peer, final double atLeast) {
        return Row.ratio(
                "FIX fan-out 5 to 20, full speed, received" + how(ours),
                FULL.name() + " rate",
                ours.name(),
                peer.name(),
                Unit.PER_SECOND,
                new Goal.AtLeast(atLeast));
    }

    private static Row paced(
            final Contestant ours,
            final Contestant peer,
            final String figure,
            final double atMost) {
        return Row.ratio(
                "FIX fan-out 5 x %.0f msg/s to 20, %s%s"
                        .formatted(PACED.ratePerSecond(), figure, how(ours)),
                PACED.name() + " " + figure,
                ours.name(),
                peer.name(),
                Unit.NANOSECONDS,
                new Goal.AtMost(atMost));
    }

    private Contest floor() {
        final Contestant ours = run("tickmark", MANY);
        final Contestant c = run("c", MANY);
        final List<Row> rows = new ArrayList<>();
        for (final String figure : PERCENTILES) {
            final Goal goal = new Goal.AtMost(figure.equals("p50") ? 1.05 : 1.1);
            rows.add(many("on the wire " + figure, "wire " + figure, ours, c, goal));
        }
        final Goal document =
                Runtime.getRuntime().availableProcessors() >= CORES_OF_THE_DOCUMENT
                        ? new Goal.AtMost(1)
                        : new Goal.Shown();
        for (final String figure : PERCENTILES) {
            rows.add(many("on the wire " + figure, "wire " + figure, ours, PUBLISHED, document));
        }
        for (final String figure : PERCENTILES) {
            rows.add(many("application " + figure, figure, ours, c, new Goal.Shown()));
        }
        final String application = "FIX fan-out 50 x 100 msg/s, every 50th to 200, application";
        return new Contest(
                "fix-floor",
                List.of(ours, c, PUBLISHED),
                rows,
                List.of(
                        new LatencyRow(application, ours.name(), MANY.name()),
                        new LatencyRow(application, c.name(), MANY.name())));
    }

    private static Row many(
            final String what,
            final String figure,
            final Contestant ours,
            final Contestant peer,
            final Goal goal) {
        return Row.ratio(
                "FIX fan-out 50 x 100 msg/s, every 50th to 200, " + what,
                MANY.name() + " " + figure,
                ours.name(),
                peer.name(),
                Unit.NANOSECONDS,
                goal);
    }

    /** What the fan-out benchmark of FIX Antenna was published with, for this load on the wire. */
    private record Published() implements Contestant {
        @Override
        public String name() {
            return "FIX Antenna, as published";
        }

        @Override
        public Map<String, Double> measure() {
            final String wire = MANY.name() + " wire ";
            return Map.of(wire + "p50", 135e3, wire + "p99", 607e3, wire + "p99.9", 863e3);
        }
    }

    private Contest slowConsumer() {
        final Contestant whole = named("all consumers read", run("tickmark", WHOLE));
        final Contestant stalled = named("one of 21 does not read", run("tickmark", STALLED));
        return new Contest(
                "fix-slow",
                List.of(stalled, whole),
                List.of(
                        Row.ratio(
                                "FIX fan-out, the 20 others when one stops reading, p99",
                                "p99",
                                stalled.name(),
                                whole.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(1.2))));
    }

    /** The only load's figures, without its name. */
    private static Contestant named(final String name, final Contestant contestant) {
        return new Contestant() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Map<String, Double> measure() {
                final Map<String, Double> figures = new java.util.LinkedHashMap<>();
                contestant
                        .measure()
                        .forEach((key, value) ->
                                figures.put(key.substring(key.lastIndexOf(' ') + 1), value));
                return figures;
            }
        };
    }

    /**
     * A fan-out gateway under one load or more, always with our clients in JVMs of their own.
     * Figures are named {@code LOAD rate}, {@code LOAD p50}, {@code LOAD wire p50} and so on; a run
     * that lost a message has none.
     *
     * @param frontDoor to run it
     * @param engine of the gateway, {@code c} for the minimal one of {@code bench/c}
     * @param program the minimal one
     * @param checks whether the gateway holds messages against its dictionary, as QuickFIX/J does
     *     always
     * @param loads in turn
     * @param settings of the run
     */
    private record FixGatewayRun(
            PlanRunner frontDoor,
            String engine,
            CProgram program,
            boolean checks,
            List<FixLoad> loads,
            SideBySideSettings settings)
            implements Contestant {
        private static final String MINIMAL = "c";
        private static final int LIFE_S = 120;

        /** Of each producer, where the search begins. */
        private static final double FIRST_RATE = 400;

        private static final int HALVINGS = 4;
        private static final String RATE = " rate";

        /** Three hot threads share the cores with their compilers for longer than one does. */
        private static final int WARM_UPS = 3;

        private static final double HELD_PART = 0.98;

        /** A queue that grows takes every message that is offered, for as long as a run lasts. */
        private static final double MOST_MEDIAN_NS = 100e6;

        private static final Duration LIMIT = Duration.ofSeconds(90);

        private static final Criteria ANY =
                Settings.read(
                        Criteria.class, Map.of("maxLostPart", 1, "minRateHeldPart", 0), key -> key);

        @Override
        public String name() {
            return engine.equals(MINIMAL)
                    ? "C fix_fanout"
                    : checks ? engine + ", dictionary" : engine;
        }

        @Override
        public Map<String, Double> measure() {
            final Map<String, Double> figures = new LinkedHashMap<>();
            for (final FixLoad load : loads) {
                if (load.ratePerSecond() == 0) {
                    figures.putAll(highestRate(load));
                } else {
                    try {
                        figures.putAll(withoutQueue(load));
                    } catch (final NotMeasured e) {
                        if (figures.isEmpty()) {
                            throw e; // nothing else was measured
                        }
                        System.err.println("bench: " + e.getMessage());
                    }
                }
            }
            return figures;
        }

        /** At a rate that the gateway does not hold its latencies are those of a growing queue. */
        private Map<String, Double> withoutQueue(final FixLoad load) {
            final Map<String, Double> figures = once(load);
            if (isQueue(figures, load)) {
                throw new NotMeasured(
                        "%s does not hold %.0f msg/s: its queue grows."
                                .formatted(name(), load.ratePerSecond()));
            }
            return figures;
        }

        private static boolean isQueue(final Map<String, Double> figures, final FixLoad load) {
            return figures.getOrDefault(load.name() + " p50", 0.0) > MOST_MEDIAN_NS;
        }

        private Map<String, Double> once(final FixLoad load) {
            return engine.equals(MINIMAL) ? besideProgram(load) : measure(load, Map.of(), true);
        }

        /**
         * The highest rate out with nothing lost and the rate held: doubled until it fails, then
         * halved; and once at half of it.
         */
        private Map<String, Double> highestRate(final FixLoad load) {
            double held = 0;
            Map<String, Double> best = Map.of();
            double next = FIRST_RATE;
            double failed = 0;
            int halvings = 0;
            while (halvings < HALVINGS) {
                final Map<String, Double> reached = at(load, next);
                if (!reached.isEmpty()) {
                    held = next;
                    best = reached;
                } else {
                    failed = next;
                }
                halvings += failed > 0 ? 1 : 0;
                next = failed > 0 ? (held + failed) / 2 : 2 * next;
            }
            if (best.isEmpty()) {
                throw new NotMeasured(
                        "%s does not hold even %.0f msg/s.".formatted(name(), failed));
            }
            final Map<String, Double> all = new LinkedHashMap<>(best);
            final FixLoad half = HALF.at(held / 2);
            all.putAll(LatencyFigures.ifMeasured(() -> once(half)));
            return all;
        }

        /**
         * What was measured; nothing where messages were lost, the rate not held, or a queue grew.
         */
        private Map<String, Double> at(final FixLoad load, final double ratePerSecond) {
            final FixLoad paced = load.at(ratePerSecond);
            final double wanted =
                    ratePerSecond * load.producers() / load.every() * load.consumers();
            try {
                final Map<String, Double> figures = once(paced);
                final double reached = figures.get(load.name() + RATE);
                return reached >= HELD_PART * wanted && !isQueue(figures, load)
                        ? figures
                        : Map.of();
            } catch (final NotMeasured e) {
                return Map.of();
            }
        }

        private Map<String, Double> besideProgram(final FixLoad load) {
            final int producersPort = TcpPorts.free();
            final int consumersPort = TcpPorts.free();
            try (Child gateway = program.start(producersPort, consumersPort, LIFE_S)) {
                TcpPorts.awaitSaid("up", gateway);
                return measure(
                        load,
                        Map.of("producersPort", producersPort, "consumersPort", consumersPort),
                        false);
            }
        }

        private Map<String, Double> measure(
                final FixLoad load, final Map<String, Object> ports, final boolean withGateway) {
            final TestPlan.Builder test =
                    TestPlan.builder("fix", "fix")
                            .channel(withGateway ? engine + ":" : "")
                            .criteria(ANY);
            if (withGateway) {
                test.role(RolePlan.of("fix-gateway", gateway()));
            }
            final Map<String, Object> consumers = new HashMap<>(ports);
            consumers.remove("producersPort");
            consumers.put("consumers", load.consumers());
            consumers.put("stalled", load.stalled());
            consumers.put("progressEvery", 0);
            final Map<String, Object> producers = new HashMap<>(ports);
            producers.remove("consumersPort");
            producers.put("producers", load.producers());
            producers.put("rate", load.ratePerSecond());
            producers.put("every", load.every());
            producers.put("duration", settings.seconds() + "s");
            producers.put("warmUp", WARM_UPS * settings.warmUpSeconds() + "s");
            test.role(RolePlan.of("fix-consumers", consumers));
            test.role(RolePlan.of("fix-producers", producers));
            if (load.isCaptured()) {
                test.role(RolePlan.of("capture", capture(ports)));
            }
            return figures(load, frontDoor.run(test.build(), LIMIT).getFirst());
        }

        private Map<String, Object> gateway() {
            return Map.of(
                    "producersPort",
                    0,
                    "consumersPort",
                    0,
                    "exitAtEnd",
                    true,
                    "validate",
                    checks ? "dictionary" : "fields");
        }

        private static Map<String, Object> capture(final Map<String, Object> ports) {
            final Map<String, Object> capture = new HashMap<>();
            capture.put("filter", "tcp");
            capture.put("bufferMib", 256);
            capture.put("skip", 0);
            capture.put("idMask", "?????1");
            capture.put("required", true);
            if (!ports.isEmpty()) {
                capture.put("inPort", ports.get("producersPort"));
                capture.put("outPort", ports.get("consumersPort"));
            }
            return capture;
        }

        private Map<String, Double> figures(final FixLoad load, final TrialResult row) {
            if (row.lost() > 0 || row.received() == 0) {
                throw new NotMeasured(
                        "%s lost %d of %d messages under the load '%s'."
                                .formatted(name(), row.lost(), row.expected(), load.name()));
            }
            final LatencySummary service =
                    row.latency(Latencies.SERVICE_NS)
                            .orElseThrow(() -> new NotMeasured(name() + " has no latencies."));
            final Map<String, Double> figures = new LinkedHashMap<>();
            figures.put(load.name() + RATE, receivedPerSecond(row));
            LatencyFigures.put(
                    figures, load.name(), row, row.latency(Latencies.RESPONSE_NS).orElse(service));
            figures.put(load.name() + " p50", (double) service.p50().orElseThrow());
            figures.put(load.name() + " p99", (double) service.p99().orElseThrow());
            figures.put(load.name() + " p99.9", (double) service.p999().orElseThrow());
            metric(row, "fix-gateway", "cpuPercentMean")
                    .ifPresent(percent ->
                            figures.put(
                                    load.name() + " cpu",
                                    percent / 100 * 1e9 / figures.get(load.name() + RATE)));
            if (load.isCaptured()) {
                final LatencySummary wire =
                        row.latency(WireFigures.EACH_COPY_NS)
                                .orElseThrow(() -> new NotMeasured(name() + " was not captured."));
                figures.put(load.name() + " wire p50", (double) wire.p50().orElseThrow());
                figures.put(load.name() + " wire p99", (double) wire.p99().orElseThrow());
                figures.put(load.name() + " wire p99.9", (double) wire.p999().orElseThrow());
            }
            return figures;
        }

        private double receivedPerSecond(final TrialResult row) {
            return metric(row, "fix-consumers", "receivedPerSecond")
                    .orElseThrow(() -> new NotMeasured(name() + " does not report its rate."));
        }

        private static Optional<Double> metric(
                final TrialResult row, final String role, final String name) {
            return row.roles().stream()
                    .filter(summary -> summary.role().equals(role))
                    .map(summary -> summary.metrics().get(name))
                    .filter(Number.class::isInstance)
                    .map(figure -> ((Number) figure).doubleValue())
                    .findFirst();
        }
    }

    /**
     * What the clients of a FIX gateway do.
     *
     * @param name of the figures
     * @param producers sessions that send
     * @param consumers sessions that receive
     * @param stalled of these, how many stop reading
     * @param ratePerSecond of each producer; 0 to search the highest that holds
     * @param every so many-th message fans out
     * @param isCaptured whether the wire is looked at, too
     */
    private record FixLoad(
            String name,
            int producers,
            int consumers,
            int stalled,
            double ratePerSecond,
            int every,
            boolean isCaptured) {
        /** The same at another rate. */
        FixLoad at(final double otherRate) {
            return new FixLoad(name, producers, consumers, stalled, otherRate, every, isCaptured);
        }
    }
}
