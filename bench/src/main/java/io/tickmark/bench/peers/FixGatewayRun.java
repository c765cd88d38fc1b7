package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A fan-out gateway under one load or more, always with our clients in JVMs of their own. Figures
 * are named {@code LOAD rate}, {@code LOAD p50} and so on; a run that lost a message has none.
 *
 * @param frontDoor to run it
 * @param engine of the gateway, {@code c} for the minimal one of {@code bench/c}
 * @param program the minimal one
 * @param loads in turn
 * @param settings of the run
 */
record FixGatewayRun(
        FrontDoor frontDoor,
        String engine,
        CProgram program,
        List<FixLoad> loads,
        SideBySideSettings settings)
        implements Contestant {
    private static final String MINIMAL = "c";
    private static final int LIFE_S = 120;

    /** Of each producer, where the search begins. */
    private static final double FIRST_RATE = 400;

    private static final int HALVINGS = 4;
    private static final double HELD_PART = 0.98;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static final Criteria ANY =
            Settings.read(
                    Criteria.class, Map.of("maxLostPart", 1, "minRateHeldPart", 0), key -> key);

    @Override
    public String name() {
        return engine.equals(MINIMAL) ? "C fix_fanout" : engine;
    }

    @Override
    public Map<String, Double> measure() {
        final Map<String, Double> figures = new LinkedHashMap<>();
        for (final FixLoad load : loads) {
            if (load.ratePerSecond() == 0) {
                figures.put(load.name() + " rate", highestRate(load));
            } else {
                figures.putAll(once(load));
            }
        }
        return figures;
    }

    private Map<String, Double> once(final FixLoad load) {
        return engine.equals(MINIMAL) ? besideProgram(load) : measure(load, Map.of(), true);
    }

    /**
     * The highest rate out with nothing lost and the rate held: doubled until it fails, then
     * halved.
     */
    private double highestRate(final FixLoad load) {
        double held = 0;
        double out = 0;
        double next = FIRST_RATE;
        double failed = 0;
        int halvings = 0;
        while (halvings < HALVINGS) {
            final double reached = outAt(load, next);
            if (reached > 0) {
                held = next;
                out = reached;
            } else {
                failed = next;
            }
            halvings += failed > 0 ? 1 : 0;
            next = failed > 0 ? (held + failed) / 2 : 2 * next;
        }
        if (out == 0) {
            throw new NotMeasured("%s holds not even %.0f msg/s.".formatted(name(), failed));
        }
        return out;
    }

    /** What the consumers received a second; 0 where messages were lost or the rate not held. */
    private double outAt(final FixLoad load, final double ratePerSecond) {
        final FixLoad paced = load.at(ratePerSecond);
        final double wanted = ratePerSecond * load.producers() / load.every() * load.consumers();
        try {
            final double reached = once(paced).get(load.name() + " rate");
            return reached >= HELD_PART * wanted ? reached : 0;
        } catch (final NotMeasured e) {
            return 0;
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
        producers.put("warmUp", settings.warmUpSeconds() + "s");
        test.role(RolePlan.of("fix-consumers", consumers));
        test.role(RolePlan.of("fix-producers", producers));
        return figures(load, frontDoor.run(test.build(), LIMIT).getFirst());
    }

    private static Map<String, Object> gateway() {
        return Map.of("producersPort", 0, "consumersPort", 0, "exitAtEnd", true);
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
        figures.put(load.name() + " rate", receivedPerSecond(row));
        figures.put(load.name() + " p50", (double) service.p50());
        figures.put(load.name() + " p99", (double) service.p99());
        figures.put(load.name() + " p99.9", (double) service.p999());
        return figures;
    }

    private double receivedPerSecond(final TrialResult row) {
        return row.roles().stream()
                .map(role -> role.metrics().get("receivedPerSecond"))
                .filter(Number.class::isInstance)
                .mapToDouble(rate -> ((Number) rate).doubleValue())
                .findFirst()
                .orElseThrow(() -> new NotMeasured(name() + " does not tell its rate."));
    }
}
