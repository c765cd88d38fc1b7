package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.jars.OwnJars;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.client.Producers;
import io.tickmark.workloads.fix.gateway.GatewaySettings.StoreKind;
import io.tickmark.workloads.fix.gateway.GatewaySettings.Subscriptions;
import io.tickmark.workloads.fix.gateway.OwnEngine.OwnEngines;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The gateway as a role: its engine's threads do the work, this one watches. */
public final class Gateway implements Role {
    /** Name of the endpoint for producers, with any engine. */
    static final String PRODUCERS = "fixProducers";

    static final String CONSUMERS = "fixConsumers";

    private static final long LOOK_NS = 20_000_000;

    /** Producers may reconnect within this time; then it was not the end. */
    private static final long END_NS = 300_000_000;

    private static final long LOGOUT_NS = 10_000_000_000L;

    private final GatewaySettings settings;
    private final RoleContext context;
    private GatewayEngine engine;
    private Map<String, Long> last = Map.of();

    /** The counts of the warm-up. */
    private Map<String, Long> before = Map.of();

    private long measuredAfterNs;
    private int lastConsumers;

    Gateway(final GatewaySettings settings, final RoleContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public Endpoints prepare() {
        engine =
                find(settings.channel())
                        .orElseThrow(() -> unknown(settings.channel()))
                        .start(settings, context);
        final String at = settings.bind() + ":";
        context.log("Producers connect to " + at + engine.producersPort() + ".");
        context.log("Consumers connect to " + at + engine.consumersPort() + ".");
        return Endpoints.of(
                Map.of(
                        PRODUCERS, at + engine.producersPort(),
                        CONSUMERS, at + engine.consumersPort()));
    }

    /** The engine of a channel: {@code quickfixj} or {@code quickfixj:}. */
    static Optional<GatewayEngines> find(final String channel) {
        final String name = name(channel);
        return all().filter(each -> each.name().equals(name)).findFirst();
    }

    private static String name(final String channel) {
        return channel.replaceFirst(":.*$", "");
    }

    private static Stream<GatewayEngines> all() {
        return Stream.concat(
                Stream.of(new OwnEngines()),
                OwnJars.services(
                                GatewayEngines.class,
                                Thread.currentThread().getContextClassLoader())
                        .stream()
                        .map(ServiceLoader.Provider::get));
    }

    static UserError unknown(final String channel) {
        return UserError.environment(
                "--engine %s: is not installed; there are %s."
                        .formatted(
                                name(channel),
                                all().map(GatewayEngines::name).collect(Collectors.joining(", "))));
    }

    GatewayEngine engine() {
        return engine;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        measuredAfterNs = Producers.measuredAfterNs(endpoints); // the others connect
    }

    @Override
    public RoleResult run(final long startAtNs) {
        final Map<String, Counter> counters = new LinkedHashMap<>();
        engine.counts()
                .keySet()
                .forEach(name -> counters.put(name, context.recording().counter(name)));
        long endedNs = 0;
        while (!context.isStopped() && engine.failure().isEmpty()) {
            update(counters);
            final long nowNs = context.clock().nanoTime();
            if (nowNs - startAtNs - measuredAfterNs < 0) {
                before = last; // read before the clock: no measured message is among them
            }
            final boolean isEnd =
                    settings.exitAtEnd() && engine.producersEver() > 0 && engine.producers() == 0;
            endedNs = isEnd ? endedNs == 0 ? nowNs : endedNs : 0;
            if (isEnd && nowNs - endedNs >= END_NS) {
                break;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        final int consumers = engine.consumers();
        lastConsumers = consumers;
        logOut();
        update(counters);
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("engine", name(settings.channel()));
        metrics.put("producers", engine.producersEver());
        metrics.put("consumers", consumers);
        return new RoleResult(List.of(step(startAtNs)), metrics, warnings(), failure());
    }

    /**
     * A gateway that has served no client in the measurement has not passed; what it kept counts
     * once a consumer has fetched it.
     */
    private String failure() {
        final long notFetched = measured(GatewayCounts.KEPT_NOT_FETCHED);
        final long given = measured(GatewayCounts.OUT) + measured(GatewayCounts.KEPT) - notFetched;
        return !engine.failure().isEmpty() || given > 0
                ? engine.failure()
                : ("The gateway delivered nothing to any consumer%s: %d messages came in, %s%d consumers were connected"
                                + " at the end.")
                        .formatted(
                                before.getOrDefault(GatewayCounts.OUT, 0L) == 0
                                        ? ""
                                        : " after the warm-up",
                                measured(GatewayCounts.IN),
                                notFetched > 0
                                        ? notFetched
                                                + " were kept for consumers that were away and not fetched, "
                                        : "",
                                lastConsumers);
    }

    private long measured(final String count) {
        return last.getOrDefault(count, 0L) - before.getOrDefault(count, 0L);
    }

    private List<String> warnings() {
        return GatewayCounts.warnings(
                last,
                settings.store().store() != StoreKind.NONE,
                settings.subscriptions() != Subscriptions.ALL);
    }

    private StepResult step(final long startAtNs) {
        return StepResult.received(
                0, "", 0, last, context.clock().nanoTime() - startAtNs, Map.of());
    }

    private void update(final Map<String, Counter> counters) {
        last = engine.counts();
        last.forEach((name, count) -> {
            if (counters.containsKey(name)) {
                counters.get(name).set(count);
            }
        });
    }

    /** Everything that waits is written before a session ends. */
    private void logOut() {
        engine.logOut();
        final long untilNs = context.clock().nanoTime() + LOGOUT_NS;
        while (engine.consumers() + engine.producers() > 0
                && engine.failure().isEmpty()
                && context.clock().nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    @Override
    public void close() {
        if (engine != null) {
            engine.close();
        }
    }

    /** Creates fan-out gateways. */
    public static final class Factory extends RoleFactory.Declared<GatewaySettings> {
        /** For the service loader. */
        public Factory() {
            super(
                    "fix-gateway",
                    "Takes FIX messages from producers and fans them out to consumers.",
                    GatewaySettings.class);
        }

        @Override
        public List<HotThread> hotThreads(
                final GatewaySettings settings, final int index, final int count) {
            return Gateway.find(settings.channel())
                    .map(engine -> engine.hotThreads(settings))
                    .orElse(List.of()); // the role itself reports that there is no such engine
        }

        @Override
        public long expectedDurationNs(final GatewaySettings settings) {
            return 0;
        }

        @Override
        public void check(final GatewaySettings settings) {
            if (Gateway.find(settings.channel()).isEmpty()) {
                throw Gateway.unknown(settings.channel());
            }
        }

        @Override
        public Role create(final GatewaySettings settings, final RoleContext context) {
            return new Gateway(settings, context);
        }
    }
}
