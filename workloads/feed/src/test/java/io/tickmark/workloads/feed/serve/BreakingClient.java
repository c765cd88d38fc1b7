package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.serve.ChannelSettings.ChannelEncoding;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes messages by any channel up to a number or to the note of the end, with the JDK's client,
 * then breaks off abruptly.
 */
final class BreakingClient {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long WAIT_S = 120;
    private static final int HEAD = 32;

    private final List<Long> ordinals = new ArrayList<>();
    private final RunningServer server;
    private final ChannelSettings channel;
    private final HttpClient http;
    private JsonNode hello = JSON.createObjectNode();
    private JsonNode end = JSON.createObjectNode();
    private long lastFrame;
    private long longestPauseNs;

    BreakingClient(
            final RunningServer server, final ChannelSettings channel, final HttpClient http) {
        this.server = server;
        this.channel = channel;
        this.http = http;
    }

    List<Long> ordinals() {
        return ordinals;
    }

    JsonNode hello() {
        return hello;
    }

    JsonNode end() {
        return end;
    }

    /** Between two acknowledgements, or after the last. */
    long longestPauseNs() {
        return longestPauseNs;
    }

    String session() {
        return hello.path("session").asString("");
    }

    /** Until the message of that number, or the note of the end. */
    BreakingClient take(final String query, final long until, final boolean acknowledges)
            throws Exception {
        final URI uri = server.at("/feed/" + channel.name() + "?" + query);
        switch (channel.transport()) {
            case WEBSOCKET -> bySocket(uri, until, acknowledges);
            case EVENTS, STREAM -> byResponse(uri, until, acknowledges);
            case POLLING -> byPolls(uri, until, acknowledges);
        }
        return this;
    }

    private boolean hasAll(final long until) {
        return !end.isEmpty() || !ordinals.isEmpty() && ordinals.getLast() >= until;
    }

    private void bySocket(final URI uri, final long until, final boolean acknowledges)
            throws Exception {
        final Payloads payloads = new Payloads();
        final WebSocket socket =
                http.newWebSocketBuilder()
                        .buildAsync(URI.create(uri.toString().replace("http:", "ws:")), payloads)
                        .get(WAIT_S, TimeUnit.SECONDS);
        long acknowledgedNs = 0;
        while (!hasAll(until)) {
            onFrame(payloads.next());
            final long nowNs = System.nanoTime();
            longestPauseNs =
                    acknowledgedNs == 0 ? 0 : Math.max(longestPauseNs, nowNs - acknowledgedNs);
            if (acknowledges && !ordinals.isEmpty() && end.isEmpty()) {
                acknowledgedNs = nowNs;
                socket.sendBinary(
                                ByteBuffer.allocate(ClientFrames.ACKNOWLEDGEMENT)
                                        .order(ByteOrder.LITTLE_ENDIAN)
                                        .putLong(lastFrame)
                                        .putLong(ordinals.getLast())
                                        .flip(),
                                true)
                        .get(WAIT_S, TimeUnit.SECONDS);
            }
        }
        socket.abort();
    }

    /** Whole messages of a WebSocket. */
    private static final class Payloads implements WebSocket.Listener {
        private final LinkedBlockingQueue<byte[]> whole = new LinkedBlockingQueue<>();
        private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

        byte[] next() throws IOException, InterruptedException {
            final byte[] payload = whole.poll(WAIT_S, TimeUnit.SECONDS);
            if (payload == null) {
                throw new EOFException("nothing came");
            }
            return payload;
        }

        private CompletionStage<?> add(
                final WebSocket socket, final byte[] part, final boolean isLast) {
            parts.writeBytes(part);
            if (isLast) {
                whole.add(parts.toByteArray());
                parts.reset();
            }
            socket.request(1);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<?> onText(
                final WebSocket socket, final CharSequence data, final boolean isLast) {
            return add(socket, data.toString().getBytes(StandardCharsets.UTF_8), isLast);
        }

        @Override
        public CompletionStage<?> onBinary(
                final WebSocket socket, final ByteBuffer data, final boolean isLast) {
            final byte[] part = new byte[data.remaining()];
            data.get(part);
            return add(socket, part, isLast);
        }
    }

    private void byResponse(final URI uri, final long until, final boolean acknowledges)
            throws Exception {
        try (InputStream body = get(uri, HttpResponse.BodyHandlers.ofInputStream()).body()) {
            final DataInputStream records = new DataInputStream(body);
            final BufferedReader lines =
                    new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
            while (!hasAll(until)) {
                onFrame(
                        channel.encoding() == ChannelEncoding.BINARY
                                ? record(records)
                                : line(lines));
                if (acknowledges && !ordinals.isEmpty() && end.isEmpty()) {
                    final URI ack =
                            server.at(
                                    "/feed/ack?session=%s&frame=%d&ordinal=%d"
                                            .formatted(session(), lastFrame, ordinals.getLast()));
                    http.send(
                            HttpRequest.newBuilder(ack)
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.discarding());
                }
            }
        }
    }

    private void byPolls(final URI first, final long until, final boolean acknowledges)
            throws Exception {
        final String next = "/feed/" + channel.name() + "?session=%s";
        URI uri = first;
        while (!hasAll(until)) {
            final DataInputStream body =
                    new DataInputStream(get(uri, HttpResponse.BodyHandlers.ofInputStream()).body());
            for (byte[] frame = record(body); frame.length > 0; frame = record(body)) {
                onFrame(frame);
            }
            final String asked = next.formatted(session());
            uri =
                    server.at(
                            acknowledges && !ordinals.isEmpty()
                                    ? asked
                                            + "&frame=%d&ordinal=%d"
                                                    .formatted(lastFrame, ordinals.getLast())
                                    : asked);
        }
        if (end.isEmpty()) {
            if (acknowledges) { // each request acknowledges what came before it
                get(uri, HttpResponse.BodyHandlers.discarding());
            }
            // a request that still waits when the client is gone
            http.sendAsync(
                            HttpRequest.newBuilder(server.at(next.formatted(session()))).build(),
                            HttpResponse.BodyHandlers.discarding())
                    .cancel(true);
        }
    }

    private <T> HttpResponse<T> get(final URI uri, final HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        final HttpResponse<T> response = http.send(HttpRequest.newBuilder(uri).build(), handler);
        if (response.statusCode() != 200) {
            throw new IOException(uri + " answers " + response.statusCode());
        }
        return response;
    }

    /** A binary frame; empty at the end of a response. */
    private static byte[] record(final DataInputStream in) throws IOException {
        final byte[] head = in.readNBytes(HEAD);
        if (head.length == 0) {
            return head;
        }
        final ByteBuffer fields = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        final byte[] body =
                in.readNBytes(
                        fields.get(1) == 1
                                ? fields.getShort(2) * fields.getInt(4)
                                : fields.getInt(4));
        return ByteBuffer.allocate(HEAD + body.length).put(head).put(body).array();
    }

    private static byte[] line(final BufferedReader lines) throws IOException {
        final String line = lines.readLine();
        if (line == null) {
            throw new EOFException("the response ended");
        }
        return line.replaceFirst("^data: ", "").getBytes(StandardCharsets.UTF_8);
    }

    private void onFrame(final byte[] frame) {
        if (channel.encoding() == ChannelEncoding.JSON) {
            if (frame.length > 0) {
                final JsonNode json = JSON.readTree(frame);
                if (json.has("note")) {
                    onNote(json);
                } else {
                    onMessages(
                            json.path("f").asLong(),
                            json.path("o").asLong(),
                            json.path("m").size());
                }
            }
            return;
        }
        final ByteBuffer fields = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        if (fields.get(1) == 1) {
            onMessages(fields.getLong(8), fields.getLong(24), fields.getInt(4));
        } else {
            onNote(JSON.readTree(frame, HEAD, fields.getInt(4)));
        }
    }

    private void onMessages(final long frame, final long first, final int count) {
        lastFrame = frame;
        LongStream.range(first, first + count).forEach(ordinals::add);
    }

    private void onNote(final JsonNode note) {
        switch (note.path("note").asString("")) {
            case "hello" -> hello = note;
            case "end" -> end = note;
            default -> {} // its figures
        }
    }
}
