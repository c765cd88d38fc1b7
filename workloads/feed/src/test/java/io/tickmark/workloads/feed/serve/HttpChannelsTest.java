package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.feed.RunningServer;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events, stream and polling, with the JDK's own client. */
class HttpChannelsTest {
    private static final int HEAD = 32;
    private static final int WANTED = 200;

    private RunningServer server;
    private HttpClient client;

    @BeforeEach
    void start() {
        server = new RunningServer(Map.of("symbols", 10, "rate", 2000)).start();
        client = HttpClient.newHttpClient();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private <T> HttpResponse<T> get(final String path, final HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(server.at(path)).build(), handler);
    }

    private int post(final String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(server.at(path))
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** A frame of bytes: its messages counted, its note as text. */
    private record Frame(int count, long frame, long ordinal, String note) {
        static Frame read(final DataInputStream in) throws IOException {
            final ByteBuffer head =
                    ByteBuffer.wrap(in.readNBytes(HEAD)).order(ByteOrder.LITTLE_ENDIAN);
            final int stride = head.getShort(2);
            final int count = head.getInt(4);
            final byte[] body = in.readNBytes(head.get(1) == 1 ? stride * count : count);
            return new Frame(
                    head.get(1) == 1 ? count : 0,
                    head.getLong(8),
                    head.getLong(24),
                    head.get(1) == 1 ? "" : new String(body, StandardCharsets.UTF_8));
        }
    }

    private static String session(final String hello) {
        final Matcher id = Pattern.compile("\"session\":\"([0-9a-f]{32})\"").matcher(hello);
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    @Test
    void shouldStreamFramesWithoutAGap() throws Exception {
        try (InputStream body =
                        get("/feed/stream", HttpResponse.BodyHandlers.ofInputStream()).body();
                DataInputStream in = new DataInputStream(body)) {
            final String id = session(Frame.read(in).note());
            long expected = 1;
            while (expected <= WANTED) {
                final Frame frame = Frame.read(in);
                if (frame.count() > 0) {
                    assertThat(frame.ordinal()).isEqualTo(expected);
                    expected += frame.count();
                    assertThat(post("/feed/ack?session=%s&frame=%d".formatted(id, frame.frame())))
                            .isEqualTo(204);
                }
            }
        }
    }

    @Test
    void shouldSendEventsWithoutAGap() throws Exception {
        final HttpResponse<InputStream> response =
                get("/feed/events?flush=0ms", HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.headers().firstValue("content-type")).contains("text/event-stream");
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            final String id = session(lines.readLine());
            final Pattern message =
                    Pattern.compile("data: \\{\"f\":(\\d+),\"t\":\\d+,\"o\":(\\d+),\"m\":\\[\\[.*");
            for (long expected = 1; expected <= WANTED; ) {
                final Matcher event = message.matcher(lines.readLine());
                if (event.matches()) {
                    assertThat(Long.parseLong(event.group(2))).isEqualTo(expected++);
                    if (expected % 50 == 0) {
                        post("/feed/ack?session=" + id + "&frame=" + event.group(1));
                    }
                }
            }
        }
    }

    @Test
    void shouldAnswerPollsWithoutAGap() throws Exception {
        String id = "";
        long expected = 1;
        long frame = 0;
        while (expected <= WANTED) {
            final String query = id.isEmpty() ? "" : "?session=" + id + "&frame=" + frame;
            final byte[] body =
                    get("/feed/polling" + query, HttpResponse.BodyHandlers.ofByteArray()).body();
            final DataInputStream in = new DataInputStream(new java.io.ByteArrayInputStream(body));
            while (in.available() > 0) {
                final Frame next = Frame.read(in);
                if (next.count() > 0) {
                    assertThat(next.ordinal()).isEqualTo(expected);
                    expected += next.count();
                    frame = next.frame();
                } else if (next.note().contains("hello")) {
                    id = session(next.note());
                }
            }
        }
    }

    @Test
    void shouldReportItsFiguresAtARequestedEnd() throws Exception {
        try (InputStream body =
                        get("/feed/stream", HttpResponse.BodyHandlers.ofInputStream()).body();
                DataInputStream in = new DataInputStream(body)) {
            final String id = session(Frame.read(in).note());
            assertThat(post("/feed/finish?session=" + id)).isEqualTo(204);
            long received = 0;
            Frame frame = Frame.read(in);
            while (!frame.note().contains("\"note\":\"end\"")) {
                received += frame.count();
                frame = Frame.read(in);
            }
            assertThat(frame.note()).contains("\"sent\":" + received + ",");
            assertThat(body.read()).isEqualTo(-1);
        }
    }

    /** Pages of other sites, and names that were turned to loopback. */
    @Test
    void shouldRefuseWhatOtherSitesAsk() throws Exception {
        final HttpRequest.Builder foreign =
                HttpRequest.newBuilder(server.at("/feed/stream"))
                        .header("Origin", "https://evil.example");
        assertThat(client.send(foreign.build(), HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(403);
        try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
            socket.getOutputStream()
                    .write(
                            ("GET /feed/stream?token="
                                            + server.token()
                                            + " HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(
                            new String(
                                    socket.getInputStream().readNBytes(12),
                                    StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 421");
        }
    }

    @Test
    void shouldLimitHowOftenOneCallerAsksForPagesOnly() {
        final InetAddress address = InetAddress.getLoopbackAddress();
        final RequestLimit limit = RequestLimit.ofPages();
        int allowed = 0;
        while (limit.isAllowed(address, 1_000)) {
            allowed++;
        }
        assertThat(allowed).isEqualTo(4_000);
        assertThat(limit.isAllowed(address, 1_000_001_000)).isTrue();
        while (limit.isRefusalAllowed(address, 1_000_001_000)) {
            allowed++;
        }
        assertThat(allowed).as("far fewer refusals are explained").isEqualTo(4_100);
        assertThat(limit.isAllowed("another", 1_000)).as("and others are unaffected").isTrue();
        final RequestLimit none = RequestLimit.none();
        assertThat(IntStream.range(0, 10_000).allMatch(_ -> none.isAllowed(address, 1_000)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/feed/stream?flush=soon|400|query parameter 'flush'",
                "/feed/stream?maxFrequency=-1|400|query parameter 'maxFrequency'",
                "/feed/stream?conflation=magic|400|'magic' is not a policy",
                "/feed/stream?firstSymbol=5&symbolCount=6|400|the feed has 10 symbols",
                "/feed/stream?colour=red|400|query parameter 'colour' is not a setting",
                "/feed/stream?flush=1ms&flush=2ms|400|query parameter 'flush': is given 2 times",
                "/feed/stream?windowFrames=0|400|query parameter 'windowFrames'",
                "/feed/stream?limitBytes=2G|400|query parameter 'limitBytes'",
                "/feed/stream?session=ffff&after=-1|400|query parameter 'after': must be a whole number from 0",
                "/feed/polling?session=ffff&after=18446744073709551615|400|query parameter 'after'",
                "/feed/rtmp|404|no channel of that name",
                "/feed/ws-binary|426|is a WebSocket",
                "/feed/polling?session=ffff&frame=3|410|That session is over",
                "/nothing|404|There is nothing but /feed/CHANNEL",
                "/feed/ack?session=x|405|Use POST"
            })
    void shouldAnswerWithAProblemThatNamesTheParameter(
            final String path, final int status, final String words) throws Exception {
        final HttpResponse<String> response = get(path, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type"))
                .contains("application/problem+json");
        assertThat(response.body()).contains(words);
    }
}
