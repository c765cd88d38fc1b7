package io.tickmark.workloads.feed.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.conflate.ConflationPolicy;
import io.tickmark.workloads.feed.conflate.MutePolicy;
import io.tickmark.workloads.feed.conflate.SleepyPolicy;
import io.tickmark.workloads.feed.role.FeedClientsRole.FeedClientsSettings;
import io.tickmark.workloads.feed.source.HandPublisher;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedClientsRoleTest {
    private static final long PATIENCE_S = 120;

    /** Measured messages, however long that takes; then the test ends. */
    private static final long ENOUGH = 20;

    private final AtomicLong laterNs = new AtomicLong();
    private final TestContext context =
            new TestContext(1, 1, () -> System.nanoTime() + laterNs.get());

    private Role clients(final RunningServer server, final Map<String, Object> more) {
        final Map<String, Object> settings = new HashMap<>(more);
        settings.put("server", server.address().toString());
        settings.put("token", server.token());
        settings.put("warmUp", "0s");
        settings.put("duration", "10m");
        return new FeedClientsRole.Factory()
                .create(Settings.read(FeedClientsSettings.class, settings, key -> key), context);
    }

    /** On a thread of its own: a pool may have only one. */
    private static CompletableFuture<RoleResult> running(final Role role) {
        return CompletableFuture.supplyAsync(
                () -> role.run(System.nanoTime()), Thread.ofPlatform().daemon()::start);
    }

    private void awaitEnough() {
        await(ENOUGH);
    }

    private void await(final long messages) {
        final Counter received = context.recording().counter(Counts.RECEIVED);
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (received.get() < messages && System.nanoTime() < endNs) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(received.get()).isGreaterThanOrEqualTo(messages);
    }

    /** Another had received some, and it had passed. Of symbols 2 and 3 the first feed has none. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, ''",
        "3, 1, '1 of the clients never received a message, though the feed had some for it.'"
    })
    void shouldNotPassWhereAClientNeverReceivedWhatTheFeedHadForIt(
            final int otherSymbol,
            final long silent,
            final String failure,
            @TempDir final Path folder)
            throws Exception {
        final RoleResult result = with(MutePolicy.class, folder, () -> received(otherSymbol));

        assertThat(result.steps().getFirst().counts()).containsEntry(Counts.SILENT_CLIENTS, silent);
        assertThat(result.failure()).isEqualTo(failure);
    }

    /** Where a user's own policy is among the plug-ins. */
    private static RoleResult with(
            final Class<? extends ConflationPolicy> policy,
            final Path folder,
            final Callable<RoleResult> receiving)
            throws Exception {
        final Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(ConflationPolicy.class.getName()), policy.getName());
        final ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader plugins =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(plugins);
            return receiving.call();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Only the server's own result knew: the clients' label said 1 ms all the same. */
    @Test
    void shouldWarnOfFlushesThatWereLate(@TempDir final Path folder) throws Exception {
        final RoleResult result = with(SleepyPolicy.class, folder, this::receivedLate);

        assertThat(result.failure()).isEmpty();
        assertThat(result.warnings())
                .singleElement()
                .asString()
                .matches(
                        "The flush interval was not held: \\d+ of \\d+ flushes (was|were) late by an interval or more"
                                + " \\([\\d.]+ %\\); more.*");
    }

    private RoleResult receivedLate() throws Exception {
        try (RunningServer server =
                new RunningServer(Map.of("symbols", 5, "rate", 1_000)).start()) {
            final Role role =
                    clients(server, Map.of("clients", 4, "conflation", "sleepy", "flush", "1ms"));
            try {
                role.connect(Endpoints.NONE);
                final CompletableFuture<RoleResult> receiving = running(role);
                await(10 * ENOUGH);
                context.stop();
                return receiving.get(PATIENCE_S, TimeUnit.SECONDS);
            } finally {
                role.close();
            }
        }
    }

    /** By two clients, each with two of four symbols, of prices of symbol 1 and another one. */
    private RoleResult received(final int otherSymbol) throws Exception {
        final AtomicBoolean isOver = new AtomicBoolean();
        final AtomicLong sent = new AtomicLong();
        try (HandPublisher publisher =
                        new HandPublisher(
                                "shm://tickmark-silent-client-" + ProcessHandle.current().pid());
                RunningServer server =
                        new RunningServer(Map.of("symbols", 4, "source", publisher.channel()))
                                .start()) {
            final Role role =
                    clients(
                            server,
                            Map.of(
                                    "clients",
                                    2,
                                    "symbols",
                                    4,
                                    "symbolCount",
                                    2,
                                    "conflation",
                                    "mute-later-symbols"));
            final Thread sending =
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                publisher.awaitReceiver();
                                while (!isOver.get()) {
                                    publisher.attend();
                                    publisher.sendPrice(otherSymbol, System.nanoTime());
                                    publisher.sendPrice(1, System.nanoTime());
                                    sent.addAndGet(2);
                                    LockSupport.parkNanos(1_000_000);
                                }
                            });
            try {
                role.connect(Endpoints.NONE);
                final CompletableFuture<RoleResult> receiving = running(role);
                awaitEnough();
                isOver.set(true);
                sending.join(); // its waits are bounded
                publisher.end(0, 0, sent.get()); // one that only stands would count as lost
                laterNs.set(TimeUnit.MINUTES.toNanos(11)); // it ends by itself
                return receiving.get(PATIENCE_S, TimeUnit.SECONDS);
            } finally {
                isOver.set(true);
                sending.join(120_000);
                role.close();
            }
        }
    }

    /** They divided by the ten minutes that were planned. */
    @Test
    void shouldDivideByTheTimeUntilTheyWereStopped() throws Exception {
        try (RunningServer server =
                new RunningServer(Map.of("symbols", 5, "rate", 1_000)).start()) {
            final Role role = clients(server, Map.of("clients", 2));
            try {
                role.connect(Endpoints.NONE);
                final long beginNs = System.nanoTime();
                final CompletableFuture<RoleResult> receiving = running(role);
                awaitEnough();
                context.stop();
                final RoleResult result = receiving.get(PATIENCE_S, TimeUnit.SECONDS);
                final long wholeNs = System.nanoTime() - beginNs;
                final StepResult step = result.steps().getFirst();
                assertThat(result.failure()).isEmpty();
                assertThat(step.durationNs()).isBetween(1L, wholeNs);
                assertThat((double) result.metrics().get("deliveredPerSecond"))
                        .isEqualTo(
                                step.counts().get(Counts.RECEIVED) * 1e9 / step.durationNs(),
                                within(1e-3));
            } finally {
                role.close();
            }
        }
    }
}
