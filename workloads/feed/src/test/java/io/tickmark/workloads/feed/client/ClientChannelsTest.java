package io.tickmark.workloads.feed.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.serve.ChannelList;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headless clients by every channel, against the real server. */
class ClientChannelsTest {
    private static final int CLIENTS = 20;
    private static final long WAIT_NS = 120_000_000_000L;
    private static final String TOKEN = "a-token-of-a-test-01";

    private static RunningServer server;

    private final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);

    @BeforeAll
    static void start() {
        server = new RunningServer(Map.of("symbols", 10, "rate", 2000)).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private ClientGroup group() {
        return new ClientGroup(SystemNanoClock.INSTANCE, recording);
    }

    @ParameterizedTest
    @CsvSource({
        "ws-binary, 0ms",
        "ws-binary, 2ms",
        "ws-json, 0ms",
        "ws-json, 2ms",
        "events, 0ms",
        "events, 2ms",
        "stream, 0ms",
        "stream, 2ms",
        "polling, 0ms",
        "polling, 2ms"
    })
    void shouldReceiveEverythingOnceByEveryChannel(final String channel, final String flush) {
        try (ClientGroup group = group()) {
            for (int i = 0; i < CLIENTS; i++) {
                group.connect(
                        server.forClients(),
                        ChannelList.shipped().get(channel),
                        RunningServer.session(Map.of("conflation", "buffer", "flush", flush)));
            }
            assertThat(group.awaitOpen(WAIT_NS)).as("%s", group.unexpectedEndings()).isTrue();
            final long nowNs = System.nanoTime();
            // until enough came: on a busy machine no fixed time is long enough
            group.measure(
                    nowNs,
                    nowNs + WAIT_NS,
                    () -> group.counts().received().get() > CLIENTS * 100 || group.isAnyOver());
            assertThat(group.finish(WAIT_NS)).as("every session reported its end").isTrue();
            assertThat(group.unexpectedEndings()).isEmpty();
            final ClientCounts figures = group.counts();
            assertThat(figures.lost().get()).isZero();
            assertThat(figures.duplicated().get()).isZero();
            assertThat(figures.received().get()).isGreaterThan(CLIENTS * 100);
        }
    }

    /** The session is over at the server, and the client has not read so yet. */
    @Test
    void shouldNotTakeAnAcknowledgementThatCrossedTheEndForABrokenConnection() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
                ExecutorService server = Executors.newSingleThreadExecutor();
                ClientGroup group = group()) {
            final Future<String> refused = server.submit(() -> serveOneThatEnds(listening));
            group.connect(
                    ServerAddress.of("http://127.0.0.1:" + listening.getLocalPort(), ""),
                    ChannelList.shipped().get("events"),
                    RunningServer.session(Map.of()));
            assertThat(group.awaitOpen(WAIT_NS)).as("%s", group.unexpectedEndings()).isTrue();
            assertThat(group.finish(WAIT_NS)).isTrue();
            assertThat(refused.get()).startsWith("POST /feed/ack?session=one");
            assertThat(group.unexpectedEndings()).isEmpty();
            assertThat(group.counts().lost().get()).isZero();
        }
    }

    /** Returns the request that it refused. */
    private static String serveOneThatEnds(final ServerSocket listening) throws IOException {
        try (Socket events = listening.accept();
                Socket posts = listening.accept()) {
            requestOn(events);
            final String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            events.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            event(events, "{\"note\":\"hello\",\"session\":\"one\",\"epochNs\":1,\"host\":\"h\"}");
            assertThat(requestOn(posts)).startsWith("POST /feed/finish?session=one");
            answer(posts, "204 No Content", "");
            event(events, "{\"f\":1,\"w\":1,\"n\":1,\"m\":[[0,1,2,3]]}");
            final String late = requestOn(posts);
            answer(posts, "404 Not Found", "{\"detail\":\"There is no such session.\"}");
            event(events, "{\"note\":\"end\",\"reason\":\"The client asked for it.\",\"sent\":1}");
            return late;
        }
    }

    private static String requestOn(final Socket socket) throws IOException {
        final StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            final int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("the client closed after " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    private static void event(final Socket socket, final String json) throws IOException {
        final String data = "data: " + json + "\n\n";
        socket.getOutputStream()
                .write(
                        "%x\r\n%s\r\n"
                                .formatted(data.length(), data)
                                .getBytes(StandardCharsets.US_ASCII));
    }

    private static void answer(final Socket socket, final String status, final String body)
            throws IOException {
        socket.getOutputStream()
                .write(
                        "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s"
                                .formatted(status, body.length(), body)
                                .getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldSayWhyASessionWasRefused() {
        try (ClientGroup group = group()) {
            group.connect(
                    server.forClients(),
                    ChannelList.shipped().get("stream"),
                    RunningServer.session(Map.of("firstSymbol", 5, "symbolCount", 6)));
            assertThat(group.awaitOpen(WAIT_NS)).isFalse();
            assertThat(group.unexpectedEndings())
                    .singleElement()
                    .asString()
                    .contains("the feed has 10 symbols");
        }
    }

    @Test
    void shouldSayThatNobodyKnowsTheServersName() {
        try (ClientGroup group = group()) {
            assertThatThrownBy(() ->
                            group.connect(
                                    ServerAddress.of("http://no-such-host.invalid:1", ""),
                                    ChannelList.shipped().get("stream"),
                                    RunningServer.session(Map.of())))
                    .hasMessageContaining("unknown host name");
        }
    }

    @ParameterizedTest
    @CsvSource({"ws-binary", "events", "polling"})
    void shouldGiveItsTokenToAServerThatAsksForOne(final String channel) {
        try (RunningServer guarded =
                        new RunningServer(Map.of("symbols", 10, "rate", 2000), TOKEN).start();
                ClientGroup known = group();
                ClientGroup stranger = group()) {
            known.connect(
                    guarded.forClients(),
                    ChannelList.shipped().get(channel),
                    RunningServer.session(Map.of()));
            assertThat(known.awaitOpen(WAIT_NS)).as("%s", known.unexpectedEndings()).isTrue();
            assertThat(known.finish(WAIT_NS)).isTrue();
            stranger.connect(
                    ServerAddress.of(guarded.address().toString(), ""),
                    ChannelList.shipped().get(channel),
                    RunningServer.session(Map.of()));
            assertThat(stranger.awaitOpen(WAIT_NS)).isFalse();
            assertThat(stranger.unexpectedEndings())
                    .singleElement()
                    .asString()
                    .contains("A token is needed", "--token");
        }
    }

    @Test
    void shouldSayThatThereIsNoServer() {
        try (ClientGroup group = group()) {
            assertThatThrownBy(() ->
                            group.connect(
                                    ServerAddress.of("http://127.0.0.1:1", ""),
                                    ChannelList.shipped().get("polling"),
                                    RunningServer.session(Map.of())))
                    .hasMessageContaining("client 1 cannot connect");
        }
    }
}
