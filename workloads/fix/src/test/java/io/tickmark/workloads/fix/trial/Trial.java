package io.tickmark.workloads.fix.trial;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.fix.client.Consumers;
import io.tickmark.workloads.fix.client.Producers;
import io.tickmark.workloads.fix.gateway.Gateway;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A gateway, consumers and producers in one process, each created by its factory, on real sockets.
 */
public final class Trial implements AutoCloseable {
    private static final long PATIENCE_S = 120;

    private final Map<String, Object> common = new HashMap<>();
    private final Map<String, Playing> playing = new LinkedHashMap<>();
    private Endpoints endpoints = Endpoints.NONE;
    private int index = 1;
    private int count = 1;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private IdleMode idle = IdleMode.BLOCK;

    private record Playing(Role role, TestContext context, CompletableFuture<RoleResult> result) {}

    /** A trial in which each role gets those of these settings that it knows. */
    public Trial(final Map<String, Object> settings) {
        common.put("progressEvery", 0);
        common.putAll(settings);
    }

    /** Roles from now on are one of so many of their name; the second is called NAME-2. */
    public Trial as(final int newIndex, final int newCount) {
        index = newIndex;
        count = newCount;
        return this;
    }

    /** All roles have this time; before the first of them. */
    public Trial on(final NanoClock newClock) {
        clock = newClock;
        return this;
    }

    /** All roles wait in that mode; before the first of them. */
    public Trial waiting(final IdleMode newIdle) {
        idle = newIdle;
        return this;
    }

    public Trial gateway(final Map<String, Object> settings) {
        final Map<String, Object> all = new HashMap<>();
        all.put("producersPort", 0);
        all.put("consumersPort", 0);
        all.put("exitAtEnd", true);
        all.putAll(settings);
        return play("gateway", new Gateway.Factory(), all);
    }

    public Trial consumers(final Map<String, Object> settings) {
        return play("consumers", new Consumers.Factory(), settings);
    }

    public Trial producers(final Map<String, Object> settings) {
        return play("producers", new Producers.Factory(), settings);
    }

    private <S extends Record> Trial play(
            final String name, final RoleFactory<S> factory, final Map<String, Object> own) {
        final Map<String, Object> values = new HashMap<>();
        final var known =
                io.tickmark.kernel.settings.SettingDescriptor.of(factory.settings()).stream()
                        .map(io.tickmark.kernel.settings.SettingDescriptor::key)
                        .toList();
        common.forEach((key, value) -> {
            if (known.contains(key)) {
                values.put(key, value);
            }
        });
        values.putAll(own);
        final TestContext context = new TestContext(index, count, clock).waiting(idle);
        final Role role =
                factory.create(Settings.read(factory.settings(), values, key -> key), context);
        playing.put(
                index == 1 ? name : name + "-" + index,
                new Playing(role, context, new CompletableFuture<>()));
        endpoints = endpoints.and(role.prepare());
        role.connect(endpoints);
        return this;
    }

    /** Starts all at one moment; they end by themselves, or by {@link #stop}. */
    public Trial start() {
        final long startAtNs = clock.nanoTime();
        playing.forEach((name, each) ->
                Thread.ofPlatform()
                        .daemon()
                        .name("role-" + name)
                        .start(() -> {
                            try {
                                each.result().complete(each.role().run(startAtNs));
                            } catch (final Throwable e) {
                                each.result().completeExceptionally(e);
                            }
                        }));
        return this;
    }

    /** Where other clients can connect: {@code fixProducers} or {@code fixConsumers}. */
    public int port(final String name) {
        final String address = endpoints.named(name).getFirst();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    public void stop(final String name) {
        playing.get(name).context().stop();
    }

    public TestContext context(final String name) {
        return playing.get(name).context();
    }

    public Role role(final String name) {
        return playing.get(name).role();
    }

    public RoleResult result(final String name) throws Exception {
        return playing.get(name).result().get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** A count of the only step of a role. */
    public long count(final String name, final String count) throws Exception {
        return result(name).steps().getFirst().counts().getOrDefault(count, -1L);
    }

    @Override
    public void close() {
        playing.values().forEach(each -> each.context().stop());
        playing.values().forEach(each -> each.role().close());
    }
}
