package io.tickmark.workloads.feed.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.HostId;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.feed.source.HandPublisher;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A delay before the server is part of a response time, or there is none. */
class SourceClockTest {
    private static final long DELAY_NS = 200_000_000;
    private static final long PATIENCE_S = 120;

    /** Messages that are measured, however long that takes; then the test ends. */
    private static final long ENOUGH = 100;

    private final TestContext ofServer = new TestContext(1, 1);
    private final TestContext ofClients = new TestContext(1, 1);

    private static <S extends Record> Role role(
            final RoleFactory<S> factory,
            final Map<String, Object> settings,
            final TestContext context) {
        return factory.create(Settings.read(factory.settings(), settings, key -> key), context);
    }

    /** On a thread of its own: a pool may have only one. */
    private static CompletableFuture<RoleResult> async(final Supplier<RoleResult> run) {
        return CompletableFuture.supplyAsync(run, Thread.ofPlatform().daemon()::start);
    }

    private void awaitEnough() {
        final Counter received = ofClients.recording().counter(Counts.RECEIVED);
        final Counter pushed = ofServer.recording().counter(Counts.SENT);
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (Math.min(received.get(), pushed.get()) < ENOUGH && System.nanoTime() < endNs) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(Math.min(received.get(), pushed.get())).isGreaterThanOrEqualTo(ENOUGH);
    }

    @ParameterizedTest
    @CsvSource({"true, ws-binary", "false, ws-binary", "true, ws-json", "false, ws-json"})
    void shouldTimeFromWhenAMessageWasDueOrSayThatItCannot(
            final boolean isOneClock, final String channel) throws Exception {
        final AtomicBoolean isOver = new AtomicBoolean();
        try (HandPublisher publisher =
                new HandPublisher(
                        "shm://tickmark-clock-test-" + ProcessHandle.current().pid(),
                        isOneClock ? HostId.VALUE : ~HostId.VALUE)) {
            final Thread sending =
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                publisher.awaitReceiver();
                                while (!isOver.get()) {
                                    publisher.attend();
                                    publisher.sendPrice(1, System.nanoTime() - DELAY_NS);
                                    LockSupport.parkNanos(1_000_000);
                                }
                            });
            final Role server =
                    role(
                            new FeedServerRole.Factory(),
                            Map.of(
                                    "symbols",
                                    5,
                                    "source",
                                    publisher.channel(),
                                    "warmUp",
                                    "200ms",
                                    "duration",
                                    "10m"),
                            ofServer);
            final Role clients =
                    role(
                            new FeedClientsRole.Factory(),
                            Map.of(
                                    "clients",
                                    1,
                                    "feedChannel",
                                    channel,
                                    "warmUp",
                                    "200ms",
                                    "duration",
                                    "10m"),
                            ofClients);
            try {
                final Endpoints endpoints = server.prepare();
                server.connect(endpoints);
                clients.connect(endpoints);
                final long startAtNs = System.nanoTime();
                final CompletableFuture<RoleResult> serving = async(() -> server.run(startAtNs));
                final CompletableFuture<RoleResult> receiving = async(() -> clients.run(startAtNs));
                awaitEnough();
                ofClients.stop();
                final RoleResult received = receiving.get(PATIENCE_S, TimeUnit.SECONDS);
                ofServer.stop();
                final RoleResult served = serving.get(PATIENCE_S, TimeUnit.SECONDS);
                judge(isOneClock, received, served);
            } finally {
                isOver.set(true);
                sending.join(120_000);
                clients.close();
                server.close();
            }
        }
    }

    private static void judge(
            final boolean isOneClock, final RoleResult received, final RoleResult served) {
        assertThat(received.failure()).isEmpty();
        assertThat(served.failure()).isEmpty();
        assertThat(served.metrics()).containsEntry("pace", "source");
        final Map<String, Histogram> latencies = received.steps().getFirst().latencies();
        if (isOneClock) {
            assertThat(latencies).containsOnlyKeys(Latencies.RESPONSE_NS, Latencies.SERVICE_NS);
            assertThat(latencies.get(Latencies.RESPONSE_NS).getMinNonZeroValue())
                    .isGreaterThan(DELAY_NS - DELAY_NS / 100);
            assertThat(received.warnings()) // but for that, which a busy machine brings about
                    .allMatch(line -> line.startsWith("The flush interval was not held"));
            assertThat(served.metrics()).containsEntry("sourceFromArrival", 0L);
        } else {
            assertThat(latencies).containsOnlyKeys(Latencies.SERVICE_NS);
            assertThat(received.warnings())
                    .anyMatch(line -> line.startsWith("Response times are not measured for "));
            assertThat(served.warnings())
                    .anyMatch(line -> line.contains("count from when they arrived here"));
        }
    }
}
