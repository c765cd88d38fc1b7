package io.tickmark.workloads.market.hub;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.MarketEndpoints;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/** A hub on a separate thread, with its own ports. */
final class HubRunner implements AutoCloseable {
    private static final String THREAD = "hub";

    private final Host host = new Host();
    private final CompletableFuture<RoleResult> result = new CompletableFuture<>();
    private final Role role;
    private final Endpoints endpoints;

    HubRunner(final Map<String, Object> settings) {
        final Map<String, Object> values = new HashMap<>(settings);
        values.putIfAbsent("port", 0);
        values.putIfAbsent("publisherPort", 0);
        values.putIfAbsent("reconnectDelay", "100ms");
        role =
                new MarketHub.Factory()
                        .create(Settings.read(HubSettings.class, values, k -> "--" + k), host);
        endpoints = role.prepare();
        role.connect(Endpoints.NONE);
        Thread.ofPlatform().name(THREAD).start(this::run);
    }

    private void run() {
        try {
            result.complete(role.run(SystemNanoClock.INSTANCE.nanoTime()));
        } catch (final Throwable e) {
            result.completeExceptionally(e);
        }
    }

    /** HOST:PORT for consumers. */
    String consumers() {
        return endpoints.named(MarketEndpoints.HUB_CONSUMERS).getFirst();
    }

    /** HOST:PORT for publishers. */
    String publishers() {
        return endpoints.named(MarketEndpoints.HUB_PUBLISHERS).getFirst();
    }

    /** HOST:PORT of a further server, as the hub has said. */
    String listening(final String whom) {
        return lines().stream()
                .filter(line -> line.startsWith("Listening for " + whom + " on "))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1, line.length() - 1))
                .findFirst()
                .orElseThrow();
    }

    List<String> lines() {
        return host.lines();
    }

    /** Waits until it has lines something, however loaded the machine is. */
    void awaitLine(final String wanted) {
        final long begin = System.nanoTime();
        while (lines().stream().noneMatch(line -> line.contains(wanted))) {
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(90)) {
                throw new AssertionError("no " + wanted + " in " + lines());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    long count(final String name) {
        return host.recording().counter(name).get();
    }

    /** While it runs, the next look at the clock fails. */
    void failOnce() {
        host.fails.set(true);
    }

    /** As much time has passed for the hub. */
    void skip(final Duration time) {
        host.skippedNs.addAndGet(time.toNanos());
    }

    RoleResult stop() {
        host.stop();
        return result();
    }

    RoleResult result() {
        try {
            return result.get(90, TimeUnit.SECONDS);
        } catch (final Exception e) {
            throw new AssertionError("the hub has failed", e);
        }
    }

    @Override
    public void close() {
        try {
            stop();
        } finally {
            role.close();
        }
    }

    private static final class Host extends TestContext {
        private final AtomicBoolean fails = new AtomicBoolean();
        private final AtomicLong skippedNs = new AtomicLong();

        Host() {
            super(1, 1);
            waiting(IdleMode.BLOCK);
            connectingFor(TimeUnit.SECONDS.toNanos(90));
        }

        @Override
        public NanoClock clock() {
            return () -> {
                if (Thread.currentThread().getName().equals(THREAD) && fails.getAndSet(false)) {
                    throw new IllegalStateException("a test");
                }
                return SystemNanoClock.INSTANCE.nanoTime() + skippedNs.get();
            };
        }
    }
}
