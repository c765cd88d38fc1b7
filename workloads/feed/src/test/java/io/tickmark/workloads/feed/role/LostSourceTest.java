package io.tickmark.workloads.feed.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.source.HandPublisher;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose source, or whose receiver, was gone at the end has not passed. */
class LostSourceTest {
    private static final long PID = ProcessHandle.current().pid();
    private static final long PATIENCE_S = 120;

    /** More than the silence of a source that always sends. */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(4);

    private final TestContext server = new TestContext(1, 1);
    private final TestContext clients = new TestContext(1, 1);

    private static <S extends Record> Role role(
            final RoleFactory<S> factory,
            final Map<String, Object> settings,
            final TestContext context) {
        return factory.create(Settings.read(factory.settings(), settings, key -> key), context);
    }

    /** At the same time as others, however few threads the common pool has. */
    private static CompletableFuture<RoleResult> async(final Supplier<RoleResult> run) {
        return CompletableFuture.supplyAsync(run, Thread.ofPlatform().daemon()::start);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotPassWhereItsSourceFellSilentUnlessThatHasEnded(final boolean saysThatItEnds)
            throws Exception {
        final Map<String, Object> times = Map.of("warmUp", "200ms", "duration", "10m");
        final Map<String, Object> ofServer = new HashMap<>(times);
        final Map<String, Object> ofClients = new HashMap<>(times);
        ofClients.put("clients", 2);
        ofServer.put("symbols", 5);
        try (HandPublisher publisher =
                new HandPublisher("shm://tickmark-lost-source-%d".formatted(PID))) {
            ofServer.put("source", publisher.channel());
            final Role serves = role(new FeedServerRole.Factory(), ofServer, server);
            final Role receives = role(new FeedClientsRole.Factory(), ofClients, clients);
            try {
                final Endpoints endpoints = serves.prepare();
                serves.connect(endpoints);
                receives.connect(endpoints);
                final long startAtNs = System.nanoTime();
                final CompletableFuture<RoleResult> serving = async(() -> serves.run(startAtNs));
                final CompletableFuture<RoleResult> receiving =
                        async(() -> receives.run(startAtNs));
                publisher.awaitReceiver();
                final long beganNs = System.nanoTime();
                final long sent = sendUntilReceived(publisher);
                if (saysThatItEnds) {
                    assertThat(publisher.end(0, 0, sent)).isZero();
                }
                // a source that paused before may be silent for twice as long
                nap(2 * (System.nanoTime() - beganNs) + SILENCE_NS);
                clients.stop();
                final RoleResult received = receiving.get(PATIENCE_S, TimeUnit.SECONDS);
                server.stop();
                final RoleResult served = serving.get(PATIENCE_S, TimeUnit.SECONDS);
                judge(saysThatItEnds, received, served);
            } finally {
                receives.close();
                serves.close();
            }
        }
    }

    /** Until both have measured a message; returns how many were sent. */
    private long sendUntilReceived(final HandPublisher publisher) {
        final Counter received = clients.recording().counter(Counts.RECEIVED);
        final Counter pushed = server.recording().counter(Counts.SENT);
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        long sent = 0;
        while ((received.get() == 0 || pushed.get() == 0) && System.nanoTime() < endNs) {
            publisher.attend();
            publisher.sendPrice(1, System.nanoTime());
            sent++;
            LockSupport.parkNanos(1_000_000);
        }
        return sent;
    }

    private static void nap(final long ns) {
        final long endNs = System.nanoTime() + ns;
        for (long leftNs = ns; leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }

    private static void judge(
            final boolean hasEnded, final RoleResult received, final RoleResult served) {
        if (hasEnded) {
            assertThat(served.failure()).isEmpty();
            assertThat(received.failure()).isEmpty();
            assertThat(served.warnings())
                    .anyMatch(line -> line.matches("The source ended [0-9.]+ s before the end .*"));
        } else {
            assertThat(served.failure())
                    .matches("The source fell silent [0-9.]+ s before the end, without .*");
            assertThat(received.failure())
                    .startsWith("The source of the server's feed fell silent ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm://tickmark-lost-end-%d", "udp://127.0.0.1:0", "tcp://127.0.0.1:0"})
    void shouldEndWhatItPublishedAndLearnWhatItsReceiverLost(final String channel)
            throws Exception {
        final Map<String, Long> counts = published(channel, false);
        assertThat(counts)
                .containsEntry(Counts.COUNTED_IN, 1L)
                .containsEntry(Counts.NOT_CONFIRMED, 0L)
                .containsEntry(Counts.LOST_AT_SUBSCRIBERS, 0L);
    }

    /** Most of its messages went to nobody, and it had passed. TCP says that none is there. */
    @ParameterizedTest
    @CsvSource({"udp://127.0.0.1:0, false", "tcp://127.0.0.1:0, true"})
    void shouldNotKnowWhatAReceiverGotThatIsGone(final String channel, final boolean isKnown)
            throws Exception {
        final Map<String, Long> counts = published(channel, true);
        assertThat(counts).containsEntry(Counts.NOT_CONFIRMED, 1L);
        assertThat(counts.get(Counts.LOST_AT_SUBSCRIBERS)).isGreaterThanOrEqualTo(isKnown ? 1 : 0);
    }

    private static Map<String, Long> published(final String channel, final boolean isToBeGone)
            throws Exception {
        final Role publisher =
                role(
                        new FeedPublisherRole.Factory(),
                        Map.of(
                                "channel",
                                channel.formatted(PID),
                                "symbols",
                                5,
                                "rate",
                                500,
                                "warmUp",
                                "200ms",
                                "duration",
                                isToBeGone ? "8s" : "2s"), // it may be a while until it is gone
                        new TestContext(1, 1));
        final String source = publisher.prepare().named("channel").getFirst();
        try (RunningServer server =
                new RunningServer(Map.of("symbols", 5, "source", source)).start()) {
            publisher.connect(Endpoints.NONE);
            final CompletableFuture<RoleResult> sending =
                    async(() -> publisher.run(System.nanoTime()));
            if (isToBeGone) {
                awaitMessages(server, 300);
                server.end();
            }
            return sending.get(PATIENCE_S, TimeUnit.SECONDS).steps().getFirst().counts();
        } finally {
            publisher.close();
        }
    }

    private static void awaitMessages(final RunningServer server, final long wanted) {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (server.hub().feedFigures().sent().get() < wanted && System.nanoTime() < endNs) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
