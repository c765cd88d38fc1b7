package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The gateway as a role: its engine's threads do the work, this one watches. */
final class Gateway implements Role {
    /** What all engines' channels are called in endpoints. */
    static final String PRODUCERS = "fixProducers";

    static final String CONSUMERS = "fixConsumers";

    private static final long LOOK_NS = 20_000_000;

    /** Producers may come back within this time; then it was no end. */
    private static final long END_NS = 300_000_000;

    private static final long LOGOUT_NS = 10_000_000_000L;

    private final GatewaySettings settings;
    private final RoleContext context;
    private GatewayEngine engine;
    private Map<String, Long> last = Map.of();
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
        context.tell("Producers connect to " + at + engine.producersPort() + ".");
        context.tell("Consumers connect to " + at + engine.consumersPort() + ".");
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
                ServiceLoader.load(GatewayEngines.class).stream().map(ServiceLoader.Provider::get));
    }

    static UserError unknown(final String channel) {
        return UserError.environment(
                "--engine %s: is not here; there are %s."
                        .formatted(
                                name(channel),
                                all().map(GatewayEngines::name).collect(Collectors.joining(", "))));
    }

    GatewayEngine engine() {
        return engine;
    }

    @Override
    public void connect(final Endpoints endpoints) {
        // it is the others who connect
    }

    @Override
    public RoleResult run(final long startAtNs) {
        final Map<String, Counter> counters = new LinkedHashMap<>();
        engine.counts()
                .keySet()
                .forEach(name -> counters.put(name, context.recording().counter(name)));
        long endedNs = 0;
        while (!context.isStopped() && engine.failure().isEmpty()) {
            tell(counters);
            final long nowNs = context.clock().nanoTime();
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
        tell(counters);
        final Map<String, Object> metrics = new LinkedHashMap<>();
        metrics.put("engine", name(settings.channel()));
        metrics.put("producers", engine.producersEver());
        metrics.put("consumers", consumers);
        return new RoleResult(List.of(step(startAtNs)), metrics, warnings(), failure());
    }

    /** Who has served nobody has not passed. */
    private String failure() {
        final long given =
                last.getOrDefault(GatewayCounts.OUT, 0L)
                        + last.getOrDefault(GatewayCounts.KEPT, 0L);
        return !engine.failure().isEmpty() || given > 0
                ? engine.failure()
                : "The gateway gave nothing to any consumer: %d messages came in, and %d consumers were there at the end."
                        .formatted(last.getOrDefault(GatewayCounts.IN, 0L), lastConsumers);
    }

    /** Left out before numbers are given: who asked for symbols cannot know of it, others can. */
    private List<String> warnings() {
        final List<String> warnings = new ArrayList<>();
        final long notKept = last.getOrDefault(GatewayCounts.NOT_KEPT, 0L);
        if (notKept > 0 && settings.store().store() != StoreKind.NONE) {
            warnings.add(
                    ("%d message%s for consumers that were away only took a number and were not kept: whoever asks"
                                    + " for them gets a gap fill (--away-bytes, --store-bytes).")
                            .formatted(notKept, notKept == 1 ? "" : "s"));
        }
        final long notAccepted = last.getOrDefault(GatewayCounts.ACCEPT_FAILURES, 0L);
        if (notAccepted > 0) {
            warnings.add(
                    ("%d time%s a connection could not be accepted, such as for want of file handles (ulimit -n):"
                                    + " whoever connected waited meanwhile.")
                            .formatted(notAccepted, notAccepted == 1 ? "" : "s"));
        }
        final long engineErrors = last.getOrDefault(GatewayCounts.ENGINE_ERRORS, 0L);
        if (engineErrors > 0) {
            warnings.add(
                    "The engine wrote %d error%s to its log, which is not kept: some messages may not have been handled."
                            .formatted(engineErrors, engineErrors == 1 ? "" : "s"));
        }
        final long crowdedOut = last.getOrDefault(GatewayCounts.CROWDED_OUT, 0L);
        if (crowdedOut > 0) {
            warnings.add(
                    "%d connection%s closed before the Logon, as more waited than --most-waiting allows."
                            .formatted(crowdedOut, crowdedOut == 1 ? " was" : "s were"));
        }
        final long leftOut =
                last.getOrDefault(GatewayCounts.DROPPED, 0L)
                        + last.getOrDefault(GatewayCounts.CONFLATED, 0L);
        if (settings.subscriptions() != Subscriptions.ALL && leftOut > 0) {
            warnings.add(
                    ("The gateway left out %d message%s for slow consumers (dropped, conflated). Who asked for symbols"
                                    + " cannot see that: it is not among what was expected and lost.")
                            .formatted(leftOut, leftOut == 1 ? "" : "s"));
        }
        return warnings;
    }

    private StepResult step(final long startAtNs) {
        final long durationNs = context.clock().nanoTime() - startAtNs;
        return new StepResult(0, "", 0, last, durationNs, 0, 0, Map.of(), List.of());
    }

    private void tell(final Map<String, Counter> counters) {
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
}
