package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.session.Ending;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How a WebSocket begins and ends (RFC 6455, sections 4.2.1, 5.5.1 and 7), seen by other clients.
 */
class WebSocketEndsTest {
    private static final long WAIT_S = 120;
    private static final int MOST_TRIES = 10;

    /** Half of what a client may be silent for where another wants its place. */
    private static final long LONG_PAUSE_NS = 1_000_000_000;

    private static final String HEAD =
            "Host: localhost|Upgrade: websocket|Connection: keep-alive, Upgrade|Sec-WebSocket-Version: 13"
                    + "|Sec-WebSocket-Key: dGlja21hcmsgY2xpZW50IQ==|";

    private static RunningServer server(final int maxSessions) {
        return new RunningServer(Map.of("symbols", 10, "rate", 2000), maxSessions).start();
    }

    /** A client of the JDK that answers nothing by itself, and knows how it was closed. */
    private static final class Closed implements WebSocket.Listener {
        private final CompletableFuture<String> end = new CompletableFuture<>();

        @Override
        public CompletionStage<?> onClose(
                final WebSocket socket, final int code, final String reason) {
            end.complete(code + " " + reason);
            return null;
        }

        @Override
        public void onError(final WebSocket socket, final Throwable error) {
            end.completeExceptionally(error);
        }

        String end() throws Exception {
            return end.get(WAIT_S, TimeUnit.SECONDS);
        }
    }

    private static WebSocket open(
            final HttpClient http,
            final RunningServer server,
            final String path,
            final WebSocket.Listener listener)
            throws Exception {
        return http.newWebSocketBuilder()
                .buildAsync(
                        URI.create(server.at(path).toString().replace("http:", "ws:")), listener)
                .get(WAIT_S, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({
        "/feed/ws-binary, 0, 1008 it sent something that is not an acknowledgement",
        "/feed/ws-json, 200, 1009 it sent a frame of more than 125 bytes",
        "/feed/clock, 3, 1008 it sent something that is not a request for the time",
        "/feed/clock, 200, 1009 it sent a frame of more than 125 bytes"
    })
    void shouldEndAClientThatMisbehavesWithACodeThatSaysWhy(
            final String path, final int bytes, final String end) throws Exception {
        try (RunningServer server = server(10);
                HttpClient http = HttpClient.newHttpClient()) {
            final Closed closed = new Closed();
            open(http, server, path, closed).sendBinary(ByteBuffer.allocate(bytes), true);
            assertThat(closed.end()).isEqualTo(end);
        }
    }

    @Test
    void shouldNotifyEveryClientThatTheServerEnds() throws Exception {
        final Closed session = new Closed();
        final Closed clock = new Closed();
        try (HttpClient http = HttpClient.newHttpClient()) {
            try (RunningServer server = server(10)) {
                open(http, server, "/feed/ws-binary", session);
                open(http, server, "/feed/clock", clock);
            }
            assertThat(session.end()).isEqualTo("1001 the server ends");
            assertThat(clock.end()).isEqualTo("1001 the server ends");
        }
    }

    @Test
    void shouldReportThatThereIsNoSessionToContinue() throws Exception {
        final Closed closed = new Closed();
        try (RunningServer server = server(10);
                HttpClient http = HttpClient.newHttpClient()) {
            open(http, server, "/feed/ws-json?session=ffff", closed);
            assertThat(closed.end()).isEqualTo("1013 there is no such session to continue");
        }
    }

    /** It reads, as an image does that is loaded for ever, and acknowledges nothing. */
    @Test
    void shouldGiveUpWhoAcknowledgesNothingAtOnceWhereAnotherWaits() throws Exception {
        final Closed unread = new Closed();
        try (RunningServer server = server(1);
                HttpClient http = HttpClient.newHttpClient()) {
            open(http, server, "/feed/ws-binary?windowFrames=4", unread);
            final WebSocket next = openWhereThereIsRoom(http, server);
            assertThat(unread.end())
                    .isEqualTo("1013 the client was silent, and others were waiting for its place");
            assertThat(server.hub().figures().ended(Ending.Kind.GIVEN_UP)).isEqualTo(1);
            next.abort();
        }
    }

    /** The first must have been silent for two seconds. */
    private static WebSocket openWhereThereIsRoom(final HttpClient http, final RunningServer server)
            throws Exception {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        while (true) {
            try {
                return open(http, server, "/feed/ws-binary", new Closed());
            } catch (final java.util.concurrent.ExecutionException e) {
                assertThat(System.nanoTime()).as(e.toString()).isLessThan(endNs);
                Thread.sleep(50);
            }
        }
    }

    /** A session that is read keeps its place. */
    @Test
    void shouldLetNobodyInWhereAllSessionsAreRead() throws Exception {
        int tries = 1;
        while (!isRefusedBesideAReader()) {
            assertThat(tries++).as("readers that stood still").isLessThan(MOST_TRIES);
        }
    }

    /** False where the reader stood still itself: then others may have its place. */
    private static boolean isRefusedBesideAReader() throws Exception {
        try (RunningServer server = server(1);
                HttpClient http = HttpClient.newHttpClient()) {
            final BreakingClient reader =
                    new BreakingClient(server, ChannelList.shipped().get("ws-binary"), http);
            final CompletableFuture<Void> reading =
                    CompletableFuture.runAsync(() -> {
                        try {
                            reader.take("", Long.MAX_VALUE, true);
                        } catch (final Exception e) {
                            throw new IllegalStateException(e);
                        }
                    });
            while (server.hub().figures().counts().sent().get() < 5_000 && !reading.isDone()) {
                Thread.sleep(5);
            }
            final String answer = raw(server, "GET", "/feed/ws-binary", HEAD);
            final boolean isReading = !reading.isDone();

            server.end();
            // an acknowledgement may meet a connection that is closed already
            reading.handle((_, _) -> null).get(WAIT_S, TimeUnit.SECONDS);
            if (reader.longestPauseNs() > LONG_PAUSE_NS) {
                return false;
            }
            assertThat(answer).startsWith("HTTP/1.1 503").contains("There are 1 sessions already");
            assertThat(isReading).as("it kept its place").isTrue();
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "Connection: keep-alive, Upgrade|; ; 400; 'Connection: Upgrade' is missing",
                "Connection: keep-alive, Upgrade|; Connection: keep-alive|; 400; 'Connection: Upgrade' is missing",
                "Connection: keep-alive, Upgrade|; connection: UPGRADE|; 101; Sec-WebSocket-Accept",
                "Upgrade: websocket|; ; 426; Sec-WebSocket-Version: 13",
                "Upgrade: websocket|; Upgrade: h2c|; 426; is a WebSocket",
                "Version: 13|; Version: 8|; 426; Sec-WebSocket-Version: 13",
                "dGlja21hcmsgY2xpZW50IQ==; c2hvcnQ=; 400; Sec-WebSocket-Key must hold 16 bytes",
                "dGlja21hcmsgY2xpZW50IQ==; (((((((((((((((((((((((; 400; Sec-WebSocket-Key must hold 16 bytes",
                "Host: localhost|; ; 400; Host",
                "none; none; 101; Sec-WebSocket-Accept"
            })
    void shouldSwitchProtocolsOnlyWhereAllHeadersAreThere(
            final String without, final String instead, final int status, final String words)
            throws IOException {
        try (RunningServer server = server(10)) {
            assertThat(
                            raw(
                                    server,
                                    "GET",
                                    "/feed/clock",
                                    HEAD.replace(without, instead == null ? "" : instead)))
                    .startsWith("HTTP/1.1 " + status)
                    .contains(words);
        }
    }

    /** The head of the answer, and its body where it has one. */
    private static String raw(
            final RunningServer server, final String method, final String path, final String head)
            throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(WAIT_S));
            socket.getOutputStream()
                    .write(
                            ("%s %s?token=%s HTTP/1.1|%s|"
                                            .formatted(method, path, server.token(), head))
                                    .replace("|", "\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            final BufferedReader answer =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            final StringBuilder said = new StringBuilder();
            int bytes = 0;
            for (String line = answer.readLine();
                    line != null && !line.isEmpty();
                    line = answer.readLine()) {
                said.append(line).append('\n');
                bytes =
                        line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")
                                ? Integer.parseInt(line.split(":")[1].strip())
                                : bytes;
            }
            for (int i = 0; i < bytes; i++) {
                said.append((char) answer.read());
            }
            return said.toString();
        }
    }

    private static final String SCRIPT =
            """
            import asyncio, sys, websockets
            async def main(url, token):
                bearer = {"Authorization": "Bearer " + token}
                async with websockets.connect(url + "/feed/ws-json", additional_headers=bearer) as feed:
                    assert '"note":"hello"' in await feed.recv()
                    assert '"f":' in await feed.recv()
                    await feed.send("no acknowledgement")
                    try:
                        while True:
                            await feed.recv()
                    except websockets.ConnectionClosed as e:
                        print("misbehaved", e.rcvd.code, e.rcvd.reason, flush=True)
                async with websockets.connect(url + "/feed/ws-binary?token=" + token, max_queue=None) as feed:
                    await feed.recv()
                await feed.wait_closed()
                print("left", feed.close_code, flush=True)
                try:
                    async with websockets.connect(url + "/feed/ws-binary"):
                        pass
                except websockets.InvalidStatus as e:
                    print("stranger", e.response.status_code, flush=True)
                async with websockets.connect(url + "/feed/ws-binary", additional_headers=bearer) as feed:
                    await feed.recv()
                    print("open", flush=True)
                    try:
                        while True:
                            await feed.recv()
                    except websockets.ConnectionClosed as e:
                        print("ended", e.rcvd.code, e.rcvd.reason, flush=True)
            asyncio.run(main(sys.argv[1], sys.argv[2]))
            """;

    @Test
    void shouldNotifyAPythonClientHowItEnds(@TempDir final Path folder) throws Exception {
        final String python = System.getenv("TICKMARK_TEST_PYTHON");
        assumeTrue(python != null, "TICKMARK_TEST_PYTHON names no Python with 'websockets'");
        final Process client;
        final StringBuilder said = new StringBuilder();
        try (RunningServer server = server(10)) {
            client =
                    new ProcessBuilder(
                                    python,
                                    "-c",
                                    SCRIPT,
                                    server.address().toString().replace("http:", "ws:"),
                                    server.token())
                            .redirectError(folder.resolve("errors").toFile())
                            .start();
            final BufferedReader out = client.inputReader();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.append(line).append('\n');
                if (line.equals("open")) {
                    server.end();
                }
            }
        }
        assertThat(client.waitFor(WAIT_S, TimeUnit.SECONDS)).isTrue();
        assertThat(said.toString())
                .as(java.nio.file.Files.readString(folder.resolve("errors")))
                .isEqualTo(
                        """
                        misbehaved 1002 it sent a frame of an unknown kind
                        left 1000
                        stranger 401
                        open
                        ended 1001 the server ends
                        """);
    }
}
