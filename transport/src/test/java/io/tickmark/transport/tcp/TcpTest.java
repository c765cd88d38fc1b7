package io.tickmark.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class TcpTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);

    private final TcpTransport transport = new TcpTransport();
    private final UnsafeBuffer hello =
            new UnsafeBuffer("hello".getBytes(StandardCharsets.US_ASCII));
    private final List<String> heard = new ArrayList<>();
    private final MessageHandler listening =
            (buffer, offset, length) ->
                    heard.add(buffer.getStringWithoutLengthAscii(offset, length));

    @Test
    void shouldTalkToAPlainByteEcho() throws IOException {
        try (EchoService echo = new EchoService();
                Exchange client = connect("tcp://127.0.0.1:" + echo.port())) {
            for (int i = 1; i <= 3; i++) {
                final int wanted = i;
                until(() -> client.publication().offer(hello, 0, 5) >= 0, client);
                until(() -> heard.size() == wanted, client);
            }
        }

        assertThat(heard).containsExactly("hello", "hello", "hello");
    }

    @Test
    void shouldWaitForAListenerThatComesLater() throws IOException {
        final Exchange early = bind("tcp://:0");
        final String channel = early.channel().toString();
        early.close();
        try (Exchange client = connect(channel)) {
            assertThat(client.publication().offer(hello, 0, 5))
                    .isEqualTo(Publication.NOT_CONNECTED);
            try (Exchange server = bind(channel)) {
                until(() -> client.publication().offer(hello, 0, 5) >= 0, client, server);
                until(() -> heard.contains("hello"), server);
            }
        }
    }

    @Test
    void shouldCloseAndCountAConnectionThatSpeaksGarbage() throws IOException {
        try (Exchange server = bind("tcp://:0");
                Socket stranger = strangerTo(server)) {
            final OutputStream out = stranger.getOutputStream();
            out.write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();

            until(
                    () ->
                            Long.valueOf(1)
                                    .equals(server.publication().facts().get("garbledConnections")),
                    server);
            assertThat(server.publication().subscriberCount()).isZero();
            assertThat(heard).isEmpty();
        }
    }

    @Test
    void shouldRefuseMoreConnectionsThanItServes() throws IOException {
        final List<Socket> strangers = new ArrayList<>();
        try (Exchange server = bind("tcp://:0")) {
            for (int i = 0; i < TcpPeers.MAX_CONNECTIONS; i++) {
                strangers.add(strangerTo(server));
                final int wanted = strangers.size();
                until(() -> server.publication().subscriberCount() == wanted, server);
            }
            strangers.add(strangerTo(server));
            until(
                    () ->
                            Long.valueOf(1)
                                    .equals(server.publication().facts().get("refusedConnections")),
                    server);
            assertThat(server.publication().subscriberCount()).isEqualTo(TcpPeers.MAX_CONNECTIONS);
        } finally {
            for (final Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void shouldGatherUntilFlushed() {
        try (Exchange server = bind("tcp://:0?batchBytes=1024");
                Exchange client = connect(server.channel().toString())) {
            until(() -> server.publication().subscriberCount() == 1, server, client);
            assertThat(server.publication().offer(hello, 0, 5)).isPositive();
            assertThat(server.publication().offer(hello, 0, 5)).isPositive();
            client.subscription().poll(listening, 10);
            assertThat(heard).isEmpty();

            assertThat(server.publication().flush()).isEqualTo(2);
            assertThat(server.publication().flush()).isZero();

            until(() -> heard.size() == 2, client);
        }
    }

    @Test
    void shouldSendToAllOrToNobodyWhenOneReaderIsSlow() {
        try (Exchange server = bind("tcp://:0?sendBufferBytes=20000&receiveBufferBytes=20000");
                Exchange fast = connect(server.channel().toString());
                Exchange slow = connect(server.channel().toString())) {
            until(() -> server.publication().subscriberCount() == 2, server, fast, slow);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
            final List<Integer> heardFast = new ArrayList<>();
            final List<Integer> heardSlow = new ArrayList<>();
            int sent = 0;
            long code = 0;
            // A refusal may pass while the fast one's bytes are on their way, so it has to last.
            for (int refusals = 0; refusals < 1000; refusals = code < 0 ? refusals + 1 : 0) {
                message.putInt(0, sent);
                code = server.publication().offer(message, 0, 1000);
                sent += code >= 0 ? 1 : 0;
                numbersOf(fast, heardFast);
            }
            assertThat(code).isEqualTo(Publication.BACK_PRESSURED);

            final int all = sent;
            until(
                    () -> {
                        numbersOf(fast, heardFast);
                        numbersOf(slow, heardSlow);
                        return heardFast.size() == all && heardSlow.size() == all;
                    },
                    server);

            assertThat(heardFast).isSorted().doesNotHaveDuplicates();
            assertThat(heardSlow).isEqualTo(heardFast);
        }
    }

    private static void numbersOf(final Exchange exchange, final List<Integer> numbers) {
        exchange.subscription()
                .poll((buffer, offset, length) -> numbers.add(buffer.getInt(offset)), 100);
    }

    @Test
    void shouldTakeTheOptionsAskedFor() {
        try (Exchange server = bind("tcp://:0?noDelay=false&sendBufferBytes=20000");
                Exchange client = connect(server.channel().toString())) {
            until(() -> server.publication().subscriberCount() == 1, server, client);

            assertThat(server.publication().facts()).containsEntry("noDelay", false);
            assertThat((Integer) server.publication().facts().get("sendBufferBytes"))
                    .isGreaterThanOrEqualTo(20_000);
        }
    }

    @Test
    void shouldWakeUpAWaitingReaderWhenAMessageComes() {
        try (Exchange server = bind("tcp://:0");
                Exchange client = connect(server.channel().toString())) {
            until(() -> server.publication().offer(hello, 0, 5) >= 0, server, client);

            until(
                    () -> {
                        client.subscription().await(TimeUnit.MILLISECONDS.toNanos(100));
                        return heard.contains("hello");
                    },
                    client);
        }
    }

    @Test
    void shouldRefuseToConnectToPortZero() {
        assertThatThrownBy(() -> connect("tcp://127.0.0.1:0"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("port 0");
    }

    @Test
    void shouldListenOnLoopbackWhereNoHostIsGiven() {
        try (Exchange server = bind("tcp://")) {
            assertThat(server.channel().authority()).startsWith("127.0.0.1:");
        }
    }

    private static Socket strangerTo(final Exchange server) throws IOException {
        final String authority = server.channel().authority();
        return new Socket(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(authority.substring(authority.lastIndexOf(':') + 1)));
    }

    private Exchange bind(final String channel) {
        return transport.exchange(ChannelUri.parse(channel), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    private Exchange connect(final String channel) {
        return transport.exchange(
                ChannelUri.parse(channel), Topic.DEFAULT, ExchangeSide.CONNECT, 1);
    }

    private void until(final BooleanSupplier condition, final Exchange... driven) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!condition.getAsBoolean()) {
            for (final Exchange exchange : driven) {
                exchange.publication().doWork();
                exchange.subscription().poll(listening, 10);
            }
            Thread.yield();
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > PATIENCE_NS) {
                fail("not within 120 s");
            }
        }
    }
}
