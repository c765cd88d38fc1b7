package io.tickmark.workloads.messaging.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.EngineProcesses;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A foreign echo service answers. */
@Timeout(120)
final class ForeignEchoTest {
    @Test
    void shouldMeasureAForeignUdpEcho() throws Exception {
        final Thread server;
        try (DatagramSocket echo = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            server = Thread.ofPlatform().daemon().start(() -> echoDatagrams(echo));
            final RoleResult result = playAlone("udp://127.0.0.1:" + echo.getLocalPort());

            assertThat(result.steps().getFirst().counts())
                    .containsEntry(Counts.SENT, 100L)
                    .containsEntry(Counts.RECEIVED, 100L)
                    .containsEntry(Counts.CORRUPTED, 0L);
        }
        server.join();
    }

    @Test
    void shouldMeasureAForeignTcpEcho() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final Thread server = Thread.ofPlatform().daemon().start(() -> echoStream(listener));
            final RoleResult result = playAlone("tcp://127.0.0.1:" + listener.getLocalPort());

            assertThat(result.steps().getFirst().counts()).containsEntry(Counts.RECEIVED, 100L);
            server.join();
        }
    }

    private static RoleResult playAlone(final String channel) {
        final LatencyPubSettings settings =
                Settings.read(
                        LatencyPubSettings.class,
                        LatencyRolesTest.settings(
                                "channel",
                                channel,
                                "echo",
                                "external",
                                "sizes",
                                "64",
                                "samples",
                                100),
                        key -> key);
        try (Role publisher =
                new LatencyPublisher.Factory().create(settings, new TestContext(1, 1))) {
            publisher.prepare();
            publisher.connect(Endpoints.NONE);
            return publisher.run(0);
        }
    }

    private static void echoDatagrams(final DatagramSocket echo) {
        final DatagramPacket packet = new DatagramPacket(new byte[65_507], 65_507);
        try {
            while (true) {
                packet.setLength(65_507);
                echo.receive(packet);
                echo.send(packet);
            }
        } catch (final java.io.IOException e) {
            // closed: the test is over
        }
    }

    private static void echoStream(final ServerSocket listener) {
        try (Socket peer = listener.accept()) {
            peer.getInputStream().transferTo(peer.getOutputStream());
        } catch (final java.io.IOException e) {
            // the client disconnected: the test is over
        }
    }

    /** It said that nothing came back. */
    @Test
    void shouldSayThatAServiceAnswersSomethingElse() throws Exception {
        final AtomicLong aheadNs = new AtomicLong();
        final TestContext impatient =
                new TestContext(1, 1, () -> SystemNanoClock.INSTANCE.nanoTime() + aheadNs.get());
        try (DatagramSocket service = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform()
                    .daemon()
                    .start(() ->
                            answerLonger(service, () -> aheadNs.set(impatient.connectTimeoutNs())));
            final LatencyPubSettings settings =
                    Settings.read(
                            LatencyPubSettings.class,
                            LatencyRolesTest.settings(
                                    "channel",
                                    "udp://127.0.0.1:" + service.getLocalPort(),
                                    "echo",
                                    "external",
                                    "sizes",
                                    "64"),
                            key -> key);
            try (Role publisher = new LatencyPublisher.Factory().create(settings, impatient)) {
                publisher.prepare();
                assertThatThrownBy(() -> publisher.connect(Endpoints.NONE))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining(
                                "it answers, but does not send back what it got"
                                        + " (68 bytes came back for 64): no echo within 30s;");
            }
        }
        assertThat(EngineProcesses.foreign())
                .as("for 'the engine uses ...'")
                .contains("an echo that may run on this host");
    }

    /** Whoever sends a third ping has had the answers to the first two. */
    private static void answerLonger(final DatagramSocket service, final Runnable onThird) {
        final byte[] bytes = new byte[65_507];
        try {
            for (int pings = 1; true; pings++) {
                final DatagramPacket packet = new DatagramPacket(bytes, 4, bytes.length - 4);
                service.receive(packet);
                if (pings == 3) {
                    onThird.run();
                }
                packet.setData(bytes, 0, packet.getLength() + 4);
                service.send(packet);
            }
        } catch (final java.io.IOException e) {
            // closed: the test is over
        }
    }

    @Test
    void shouldSayThatNoEchoAnswers() throws Exception {
        final int port;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        final LatencyPubSettings settings =
                Settings.read(
                        LatencyPubSettings.class,
                        LatencyRolesTest.settings(
                                "channel", "udp://127.0.0.1:" + port, "echo", "external"),
                        key -> key);
        try (Role publisher =
                new LatencyPublisher.Factory()
                        .create(settings, new TestContext(1, 1).connectingFor(200_000_000))) {
            publisher.prepare();
            assertThatThrownBy(() -> publisher.connect(Endpoints.NONE))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.ENVIRONMENT))
                    .hasMessageContaining("udp://127.0.0.1:" + port)
                    .hasMessageContaining("no echo");
        }
    }
}
