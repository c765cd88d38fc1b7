package io.tickmark.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.ForeignClient;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);

    /** The key and its answer are those of the example in RFC 6455, section 1.2. */
    private static final String OPENING =
            """
            GET /prices HTTP/1.1\r
            host: example.com\r
            Upgrade: WebSocket\r
            Connection: keep-alive, Upgrade\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            Sec-WebSocket-Version: 13\r
            \r
            """;

    /** Their server echoes messages of every length that its frames write differently. */
    private static final String ECHO =
            """
            import asyncio, websockets
            async def echo(socket):
                async for message in socket:
                    await socket.send(message)
            async def main():
                async with websockets.serve(echo, '127.0.0.1', 0, max_size=None) as server:
                    print(server.sockets[0].getsockname()[1], flush=True)
                    await asyncio.Future()
            asyncio.run(main())
            """;

    /** Pings, then sends a text in fragments, and ends as a client should. */
    private static final String CLIENT =
            """
            import asyncio, sys, websockets
            async def main():
                async with websockets.connect('ws://%s') as socket:
                    await (await socket.ping(b'there?'))
                    await socket.send(['hel', '', 'lo'])
                    print((await socket.recv()).decode())
                    await socket.close()
                    print(socket.close_code)
            asyncio.run(main())
            """;

    private final WebSocketTransport transport = new WebSocketTransport();
    private final UnsafeBuffer hello = new UnsafeBuffer(ascii("hello"));
    private final List<String> heard = new ArrayList<>();
    private final MessageHandler listening =
            (buffer, offset, length) ->
                    heard.add(buffer.getStringWithoutLengthAscii(offset, length));

    private static byte[] ascii(final String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void shouldTalkToAnEchoOfAnotherMake() throws IOException {
        ForeignClient.need();
        final int[] lengths = {0, 1, 3, 64, 125, 126, 127, 65_535, 65_536, 262_144};
        final Process echo =
                new ProcessBuilder(System.getenv("TICKMARK_TEST_PYTHON"), "-c", ECHO)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (Exchange client = connect("ws://127.0.0.1:" + echo.inputReader().readLine())) {
            for (final int length : lengths) {
                final byte[] bytes = new byte[length];
                for (int i = 0; i < length; i++) {
                    bytes[i] = (byte) ('a' + (i + length) % 26);
                }
                heard.clear();
                final UnsafeBuffer message = new UnsafeBuffer(bytes);
                until(() -> client.publication().offer(message, 0, length) >= 0, client);
                until(() -> !heard.isEmpty(), client);
                assertThat(heard)
                        .as(length + " bytes")
                        .containsExactly(new String(bytes, StandardCharsets.US_ASCII));
            }
        } finally {
            echo.destroyForcibly().onExit().join();
        }
    }

    @Test
    void shouldServeAClientOfAnotherMakeThatPingsAndSendsInParts() throws Exception {
        ForeignClient.need();
        try (Exchange server = bind("ws://127.0.0.1:0/prices")) {
            final CompletableFuture<String> said =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            return ForeignClient.run(
                                    CLIENT.formatted(server.channel().authority()));
                        } catch (final IOException | InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            until(() -> heard.contains("hello"), server);
            until(() -> server.publication().offer(hello, 0, 5) >= 0, server);
            until(said::isDone, server);

            assertThat(said.get().lines()).containsExactly("hello", "1000");
            assertThat(heard).containsExactly("hello");
        }
    }

    @Test
    void shouldAnswerAsTheStandardsExamplesDo() throws IOException {
        try (Exchange server = bind("ws://127.0.0.1:0/prices");
                Socket stranger = strangerTo(server)) {
            stranger.getOutputStream().write(ascii(OPENING));
            // Section 5.7: a masked "Hello", and a ping with the same payload.
            stranger.getOutputStream()
                    .write(HexFormat.of().parseHex("818537fa213d7f9f4d5158898537fa213d7f9f4d5158"));
            until(() -> heard.contains("Hello"), server);
            final String opened = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
            final byte[] answer = new byte[200];
            final int[] count = {0};
            until(
                    () -> {
                        count[0] += readSome(stranger, answer, count[0]);
                        return new String(answer, 0, count[0], StandardCharsets.ISO_8859_1)
                                .endsWith("\u008a\u0005Hello");
                    },
                    server);

            assertThat(new String(answer, 0, count[0], StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 101 ")
                    .contains(opened);
        }
    }

    private static int readSome(final Socket socket, final byte[] into, final int from) {
        try {
            final InputStream in = socket.getInputStream();
            return in.available() == 0 ? 0 : in.read(into, from, into.length - from);
        } catch (final IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is sent, the status of the answer, and what comes after an opening that is right. */
    @ParameterizedTest
    @CsvSource({
        "/prices, /other, 404",
        "Version: 13, Version: 8, 426",
        "Upgrade: WebSocket, Upgrade: h2c, 400",
        "dGhlIHNhbXBsZSBub25jZQ==, short, 400",
        "GET, POST, 400"
    })
    void shouldRefuseAnOpeningThatIsNotRight(
            final String right, final String wrong, final String status) throws IOException {
        try (Exchange server = bind("ws://127.0.0.1:0/prices");
                Socket stranger = strangerTo(server)) {
            stranger.getOutputStream().write(ascii(OPENING.replace(right, wrong)));
            untilGarbled(server);

            assertThat(
                            new String(
                                    stranger.getInputStream().readAllBytes(),
                                    StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 " + status + " ");
            assertThat(server.publication().subscriberCount()).isZero();
        }
    }

    /**
     * Unmasked, reserved bits, a continuation of nothing, a long ping, a text within a text, 2^63.
     */
    @ParameterizedTest
    @CsvSource({
        "8105",
        "c18000000000",
        "808000000000",
        "89fe",
        "098000000000",
        "018000000000818000000000",
        "82ff800000000000000000000000",
        "838000000000"
    })
    void shouldCloseAndCountAConnectionWhoseFramesAreNotRight(final String frames)
            throws IOException {
        try (Exchange server = bind("ws://127.0.0.1:0/prices");
                Socket stranger = strangerTo(server)) {
            stranger.getOutputStream().write(ascii(OPENING));
            until(() -> server.publication().subscriberCount() == 1, server);
            stranger.getOutputStream().write(HexFormat.of().parseHex(frames));
            untilGarbled(server);

            assertThat(server.publication().subscriberCount()).isZero();
            assertThat(heard).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 404 Not Found\\r\\n\\r\\n|it answers 'HTTP/1.1 404 Not Found'",
                "HTTP/1.1 101 Yes\\r\\nUpgrade: websocket\\r\\nConnection: upgrade\\r\\n"
                        + "Sec-WebSocket-Accept: x\\r\\n\\r\\n|does not match the key",
                "SSH-2.0-OpenSSH_9.6\\r\\n|not a WebSocket handshake",
                "|it closed the connection"
            })
    void shouldSayWhyAServiceOpensNoWebSocket(final String answer, final String reason)
            throws IOException {
        try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Exchange client = connect("ws://127.0.0.1:" + service.getLocalPort())) {
            try (Socket peer = service.accept()) {
                peer.getOutputStream()
                        .write(ascii(answer == null ? "" : answer.translateEscapes()));
                peer.shutdownOutput();
                until(() -> client.note().isPresent(), client);
            }

            assertThat(client.note().orElseThrow())
                    .contains("ws://127.0.0.1:" + service.getLocalPort(), reason);
        }
    }

    private void untilGarbled(final Exchange server) {
        until(
                () ->
                        Long.valueOf(1)
                                .equals(server.publication().facts().get("garbledConnections")),
                server);
    }

    private static Socket strangerTo(final Exchange server) throws IOException {
        final String authority = server.channel().authority();
        return new Socket(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(authority.replaceAll(".*:|/.*", "")));
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
