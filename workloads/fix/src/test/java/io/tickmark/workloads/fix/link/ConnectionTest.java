package io.tickmark.workloads.fix.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.workloads.fix.link.LinkFactory.PlainLink;
import io.tickmark.workloads.fix.session.BodyScan;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.FixVersion;
import io.tickmark.workloads.fix.session.InboundMessage;
import io.tickmark.workloads.fix.session.MemoryStore;
import io.tickmark.workloads.fix.session.SessionClock;
import io.tickmark.workloads.fix.session.SessionConfig;
import io.tickmark.workloads.fix.session.SessionHandler;
import io.tickmark.workloads.fix.session.SessionHandler.Admission;
import io.tickmark.workloads.fix.session.SessionHandler.LogonRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session of each side over sockets, whose time does not advance unless stated otherwise. */
class ConnectionTest {
    private static final int SMALL_WRITE_BYTES = 64;
    private static final int LARGE_WRITE_BYTES = 1 << 16;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int HEARTBEAT_SECONDS = 30;

    private final VirtualClock nanos = new VirtualClock(SECOND_NS);
    private final SessionClock clock =
            new SessionClock(nanos, () -> 1_795_000_000_000L + nanos.nanoTime() / 1_000_000);
    private final SessionHandler handler = new TakesAll();
    private Selector selector;
    private Connection client;
    private Connection gateway;

    private final class TakesAll implements SessionHandler {
        @Override
        public Admission admit(final FixSession session, final LogonRequest request) {
            return Admission.granted(new MemoryStore(1 << 16, clock.nowMs()));
        }

        @Override
        public void onActive(final FixSession session) {
            // seen in its state
        }

        @Override
        public Handled onMessage(final FixSession session, final InboundMessage message) {
            return Handled.TAKEN;
        }

        @Override
        public void onEnd(final FixSession session, final String reason) {
            // seen in its state
        }
    }

    @BeforeEach
    void connect() throws IOException {
        selector = Selector.open();
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final SocketChannel channel = SocketChannel.open(listening.getLocalAddress());
            client =
                    connection(
                            channel,
                            SessionConfig.initiator(FixVersion.FIX_4_4, "CLIENT", "GATEWAY")
                                    .withHeartbeat(HEARTBEAT_SECONDS));
            gateway =
                    connection(
                            listening.accept(),
                            SessionConfig.acceptor(FixVersion.FIX_4_4, "GATEWAY"));
        }
        client.session().logon();
    }

    private Connection connection(final SocketChannel channel, final SessionConfig config)
            throws IOException {
        channel.configureBlocking(false);
        final Connection connection =
                new Connection(
                        new PlainLink(channel),
                        new FixSession(
                                config,
                                config.isInitiator()
                                        ? new MemoryStore(1 << 16, clock.nowMs())
                                        : null,
                                new BodyScan(),
                                handler,
                                clock));
        connection.registered(channel.register(selector, SelectionKey.OP_READ));
        return connection;
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        gateway.close();
        selector.close();
    }

    private static IoBuffers io(final int writeBytes) {
        return new IoBuffers(1 << 16, writeBytes, 1 << 16);
    }

    /** What the selector waits for. */
    private int interest() {
        return selector.keys().stream()
                .filter(key -> key.channel() == client.link().channel())
                .findFirst()
                .orElseThrow()
                .interestOps();
    }

    /** The Logon is longer than one write, and the socket takes each write whole. */
    @Test
    void shouldWakeForWhatIsLeftThoughTheSocketTookAllItWasGiven() {
        final IoBuffers io = io(SMALL_WRITE_BYTES);
        assertThat(client.flush(io, clock.nowNs())).isFalse();
        assertThat(client.isBlocked()).isFalse();
        assertThat(interest()).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        while (!client.flush(io, clock.nowNs())) {
            assertThat(interest()).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
        assertThat(interest()).isEqualTo(SelectionKey.OP_READ);
    }

    /** A session that the gateway disconnects before the measurement in which it was to be slow. */
    @Test
    void shouldHaveNothingToStopReadingOnceItIsClosed() {
        client.close();
        client.stopReading();
        assertThat(client.isClosed()).isTrue();
    }

    /** As a slow consumer in a long run: the gateway must find it there. */
    @Test
    void shouldStayLoggedOnWithHeartbeatsWhileItDoesNotRead() throws IOException {
        final IoBuffers io = io(LARGE_WRITE_BYTES);
        client.flush(io, clock.nowNs());
        while (gateway.session().state() != FixSession.State.ACTIVE) {
            selector.select(key -> {});
            gateway.receive(io);
        }
        gateway.flush(io, clock.nowNs());
        while (client.session().state() != FixSession.State.ACTIVE) {
            selector.select(key -> {});
            client.receive(io);
        }
        client.stopReading();
        assertThat(interest()).isZero();
        final long before = client.session().nextOutgoing();
        for (int i = 0; i < 10; i++) {
            nanos.advance(HEARTBEAT_SECONDS * SECOND_NS);
            clock.update();
            client.session().onTimer();
        }
        assertThat(client.session().state()).isEqualTo(FixSession.State.ACTIVE);
        assertThat(client.session().nextOutgoing()).as("heartbeats alone").isEqualTo(before + 10);
    }
}
