package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.feed.RunningServer;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GuaranteedDeliveryTest {
    private static final long WAIT_S = 30;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private RunningServer server;
    private HttpClient http;

    @BeforeEach
    void start() {
        server = new RunningServer(Map.of("symbols", 10, "rate", 3000)).start();
        http = HttpClient.newHttpClient();
    }

    @AfterEach
    void stop() {
        http.shutdownNow();
        server.close();
    }

    /** Takes messages up to a number, then breaks off without a word. */
    private static final class Taker implements WebSocket.Listener {
        private final List<Long> ordinals = new ArrayList<>();
        private final java.util.concurrent.CompletableFuture<Void> done =
                new java.util.concurrent.CompletableFuture<>();
        private final long until;
        private final boolean acknowledges;
        private final java.util.concurrent.CompletableFuture<String> closed =
                new java.util.concurrent.CompletableFuture<>();
        private String session = "";
        private String hello = "";
        private final java.io.ByteArrayOutputStream parts = new java.io.ByteArrayOutputStream();

        Taker(final long until, final boolean acknowledges) {
            this.until = until;
            this.acknowledges = acknowledges;
        }

        @Override
        public CompletionStage<?> onBinary(
                final WebSocket socket, final ByteBuffer data, final boolean last) {
            final byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            parts.writeBytes(bytes);
            if (last) {
                onFrame(
                        socket,
                        ByteBuffer.wrap(parts.toByteArray()).order(ByteOrder.LITTLE_ENDIAN));
                parts.reset();
            }
            socket.request(1);
            return null;
        }

        private void onFrame(final WebSocket socket, final ByteBuffer frame) {
            if (frame.get(1) == 2) {
                final String note =
                        StandardCharsets.UTF_8.decode(frame.slice(32, frame.getInt(4))).toString();
                if (note.contains("\"note\":\"end\"")) {
                    closed.complete(note);
                }
                if (note.contains("hello")) {
                    hello = note;
                    session = note.replaceAll(".*\"session\":\"([0-9a-f]+)\".*", "$1").strip();
                }
                return;
            }
            LongStream.range(0, frame.getInt(4))
                    .map(i -> frame.getLong(24) + i)
                    .forEach(ordinals::add);
            if (acknowledges) {
                final ByteBuffer ack = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
                ack.putLong(frame.getLong(8)).putLong(ordinals.getLast()).flip();
                socket.sendBinary(ack, true);
            }
            if (ordinals.getLast() >= until && !done.isDone()) {
                socket.abort();
                done.complete(null);
            }
        }

        @Override
        public void onError(final WebSocket socket, final Throwable error) {
            done.completeExceptionally(error);
            closed.completeExceptionally(error);
        }

        @Override
        public CompletionStage<?> onClose(
                final WebSocket socket, final int status, final String reason) {
            closed.completeExceptionally(
                    new AssertionError("closed without a note of the end: " + status + reason));
            return null;
        }
    }

    private Taker take(final String query, final long until, final boolean acknowledges)
            throws Exception {
        final Taker taker = new Taker(until, acknowledges);
        open(query, taker);
        taker.done.get(WAIT_S, TimeUnit.SECONDS);
        return taker;
    }

    private void open(final String query, final Taker taker) throws Exception {
        http.newWebSocketBuilder()
                .buildAsync(
                        URI.create(
                                server.at("/feed/ws-binary?guaranteed=true" + query)
                                        .toString()
                                        .replace("http", "ws")),
                        taker)
                .get(WAIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldSendAgainAfterAReconnectWhatWasNotAcknowledged() throws Exception {
        final Taker first = take("&conflation=buffer", 300, false);
        final long has = first.ordinals.get(99);
        final Taker second =
                take(
                        "&conflation=buffer&session=" + first.session + "&after=" + has,
                        first.ordinals.getLast() + 500,
                        true);
        assertThat(second.session).isEqualTo(first.session);
        assertThat(second.hello).contains("\"missing\":0");
        assertThat(second.ordinals)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(has + 1, second.ordinals.getLast())
                                .boxed()
                                .toList());
    }

    @Test
    void shouldTellHowManyAreGoneWhereTheClientAcknowledgedThem() throws Exception {
        final Taker first = take("&conflation=buffer", 300, true);
        final Taker second =
                take("&conflation=buffer&session=" + first.session + "&after=0", 1000, true);
        assertThat(second.hello).doesNotContain("\"missing\":0");
        assertThat(second.ordinals.getFirst()).isGreaterThan(1);
    }

    /** Merging spares what has not been numbered; what has is kept until it is acknowledged. */
    @ParameterizedTest
    @ValueSource(strings = {"buffer", "merge"})
    void shouldDisconnectAtTheByteLimitTellTheGapAndCountIt(final String policy) throws Exception {
        final JsonNode end;
        try (Socket silent =
                server.webSocket(
                        "guaranteed=true&limitBytes=20000&windowFrames=8&conflation=" + policy)) {
            final String all =
                    new String(silent.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            final Matcher note = Pattern.compile("\\{\"note\":\"end\".*?}").matcher(all);
            assertThat(note.find()).as("it is told how it ends").isTrue();
            end = JSON.readTree(note.group());
        }

        final long sent = end.path("sent").asLong();
        assertThat(end.path("reason").asString())
                .isEqualTo(
                        "More than the limit of the session waited: %d messages after number %d were not sent."
                                .formatted(end.path("gapMessages").asLong(), sent));
        assertThat(end.path("gapFrom").asLong()).isEqualTo(sent + 1);
        assertThat(end.path("gapMessages").asLong())
                .as("every message is accounted for")
                .isEqualTo(
                        end.path("offered").asLong()
                                - sent
                                - end.path("merged").asLong()
                                - end.path("dropped").asLong())
                .isGreaterThanOrEqualTo(1);
        assertThat(sent + end.path("gapMessages").asLong())
                .as("a store of 20,000 bytes holds 500 messages")
                .isGreaterThanOrEqualTo(500);
        assertThat(server.hub().figures().overLimit()).isEqualTo(1);
        assertThat(take("&conflation=buffer", 300, true).ordinals)
                .as("nobody else is harmed")
                .startsWith(1L, 2L, 3L);
    }

    @Test
    void shouldTellWhoComesBackThatItsSessionReachedTheLimitMeanwhile() throws Exception {
        final Taker first = take("&conflation=buffer&limitBytes=20000", 100, false);
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        while (server.hub().figures().overLimit() == 0 && System.nanoTime() < endNs) {
            Thread.sleep(5);
        }
        final Taker second = new Taker(Long.MAX_VALUE, true);
        open("&session=" + first.session + "&after=50", second);

        final JsonNode end = JSON.readTree(second.closed.get(WAIT_S, TimeUnit.SECONDS));

        assertThat(end.path("reason").asString())
                .matches(
                        "More than the limit .*: [0-9]+ messages after number 50 were not sent\\.");
        assertThat(end.path("gapFrom").asLong()).isEqualTo(51);
        assertThat(end.path("gapMessages").asLong()).isEqualTo(end.path("offered").asLong() - 50);
    }

    @Test
    void shouldNotContinueASessionThatIsBestEffortOrUnknown() throws Exception {
        final Taker stranger = new Taker(1, true);
        open("&session=ffff", stranger);
        assertThat(stranger.closed.get(WAIT_S, TimeUnit.SECONDS))
                .contains("There is no such session to continue");
        assertThat(stranger.ordinals).isEmpty();
    }
}
