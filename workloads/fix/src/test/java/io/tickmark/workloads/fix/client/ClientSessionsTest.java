package io.tickmark.workloads.fix.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.link.LinkFactory;
import io.tickmark.workloads.fix.link.LinkFactory.PlainLink;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.FixVersion;
import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.SessionHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How sessions are connected, or fail to be. */
class ClientSessionsTest {
    private static final int PATIENCE_MS = 120_000;

    /** Connections that a socket which accepts none keeps at most. */
    private static final int BACKLOG = 1;

    private final TestContext context = new TestContext(1, 1).waiting(IdleMode.BLOCK);
    private final SessionHandler handler =
            new SessionHandler() {
                @Override
                public void onActive(final FixSession session) {
                    // none becomes active here
                }

                @Override
                public Handled onMessage(final FixSession session, final InboundMessage message) {
                    return Handled.TAKEN;
                }

                @Override
                public void onEnd(final FixSession session, final String reason) {
                    // seen from the other side
                }
            };

    private CompletableFuture<FixSession> open(
            final ServerSocket gateway, final LinkFactory links) {
        return CompletableFuture.supplyAsync(() -> {
            try (ClientSessions sessions = new ClientSessions(context, links, 1 << 16)) {
                return sessions.open(
                        (InetSocketAddress) gateway.getLocalSocketAddress(),
                        SessionConfig.initiator(FixVersion.FIX_4_4, "CLIENT", "GATEWAY"),
                        handler);
            }
        });
    }

    /** Like a host behind a firewall: the system itself would retry for two minutes. */
    @Test
    void shouldHearAStopAndSayThatItWaitsWhereNobodyAnswers() throws Exception {
        final List<SocketChannel> crowd = new ArrayList<>();
        try (ServerSocket deaf = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 10 * BACKLOG; i++) {
                crowd.add(SocketChannel.open());
                crowd.getLast().configureBlocking(false);
                crowd.getLast().connect(deaf.getLocalSocketAddress());
            }
            final CompletableFuture<FixSession> session = open(deaf, PlainLink::new);
            while (context.lines().isEmpty() && !session.isDone()) {
                Thread.sleep(10);
            }
            assertThat(context.lines())
                    .containsExactly(
                            "Waiting for a gateway at %s, up to 30s..."
                                    .formatted(
                                            ClientSessions.text(
                                                    (InetSocketAddress)
                                                            deaf.getLocalSocketAddress())));
            context.stop();
            assertThatThrownBy(() -> session.get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                    .hasCauseInstanceOf(UserError.class)
                    .hasMessageContaining("before this was stopped (Connect timed out)");
        } finally {
            for (final SocketChannel each : crowd) {
                each.close();
            }
        }
    }

    @Test
    void shouldLeaveNoConnectionOpenThatCouldNotBecomeASession() throws Exception {
        try (ServerSocket gateway =
                new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            gateway.setSoTimeout(PATIENCE_MS);
            final CompletableFuture<FixSession> session =
                    open(
                            gateway,
                            channel -> {
                                throw new IllegalStateException("no link");
                            });
            assertThat(firstByte(gateway)).isEqualTo(-1);
            context.stop();
            assertThatThrownBy(() -> session.get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                    .hasCauseInstanceOf(UserError.class)
                    .hasMessageContaining("before this was stopped");
        }
    }

    private static int firstByte(final ServerSocket gateway) throws IOException {
        try (Socket accepted = gateway.accept()) {
            accepted.setSoTimeout(PATIENCE_MS);
            return accepted.getInputStream().read();
        }
    }
}
