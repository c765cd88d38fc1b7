package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.publisher.MarketPublisher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What clients do while the peer does not speak RSSL. */
class WaitsForItsPeerTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Of one turn; some more, so that what is counted is the turns alone. */
    private static final long LOOKS = 20;

    static List<RoleFactory<?>> clients() {
        return List.of(new MarketConsumer.Factory(), new MarketPublisher.Factory());
    }

    /** A spinning thread reads its clock a hundred thousand times a second, on any machine. */
    @ParameterizedTest
    @MethodSource("clients")
    void shouldRestBetweenItsAttemptsToConnect(final RoleFactory<?> client) throws Exception {
        final AtomicInteger attempts = new AtomicInteger();
        try (ServerSocket nobody = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningRoles roles = new RunningRoles(PATIENCE_NS)) {
            Thread.ofPlatform().daemon().start(() -> hangUp(nobody, attempts));
            final long beganNs = System.nanoTime();
            final RunningRoles.StartedRole waiting =
                    roles.start(
                            client,
                            Map.of(
                                    "host",
                                    "127.0.0.1",
                                    "port",
                                    nobody.getLocalPort(),
                                    "reconnectDelay",
                                    DELAY_NS / 1_000_000 + "ms",
                                    "idle",
                                    "spin",
                                    "itemCount",
                                    10));
            catchThrowable(waiting::result); // a publisher throws it, a consumer returns it
            final long elapsedNs = System.nanoTime() - beganNs;
            while (attempts.get() == 0) { // the closing side may be late
                assertThat(System.nanoTime() - beganNs).isLessThan(TimeUnit.MINUTES.toNanos(1));
                Thread.sleep(5);
            }
            assertThat(attempts.get()).isBetween(1, 2 * (int) (elapsedNs / DELAY_NS) + 2);
            assertThat(waiting.context().looksAtClock())
                    .isBetween(1L, LOOKS * (elapsedNs / TimeUnit.MILLISECONDS.toNanos(5) + 100));
        }
    }

    private static void hangUp(final ServerSocket server, final AtomicInteger attempts) {
        while (!server.isClosed()) {
            try (Socket _ = server.accept()) {
                attempts.incrementAndGet();
            } catch (final IOException _) {
                // the test is over, or the peer has gone
            }
        }
    }
}
