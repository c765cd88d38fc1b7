package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.CountSentence;
import io.tickmark.workloads.feed.RunningServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    private static final long WAIT_S = 120;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private RunningServer server;

    @BeforeEach
    void start() {
        server = new RunningServer(Map.of("symbols", 10, "rate", 3000)).start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Takes messages up to a number or to the note of the end, then breaks off abruptly. */
    private static final class Taker {
        private static final int CONTROL = 0x8;
        private static final int LENGTH = 0x7f;
        private static final int SHORT_FOLLOWS = 126;

        private final List<Long> ordinals = new ArrayList<>();
        private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
        private String session = "";
        private String end = "";
        private long lastFrame;

        void take(final Socket socket, final long until, final boolean acknowledges)
                throws IOException {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(WAIT_S));
            final DataInputStream in =
                    new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            skipHead(in);
            while (end.isEmpty() && (ordinals.isEmpty() || ordinals.getLast() < until)) {
                final int first = in.readUnsignedByte();
                int length = in.readUnsignedByte() & LENGTH;
                length = length == SHORT_FOLLOWS ? in.readUnsignedShort() : length;
                final byte[] part = in.readNBytes(length);
                assertThat(first & CONTROL).as("closed without a note of the end").isZero();
                parts.writeBytes(part);
                if (first >= 0x80) { // RFC 6455, 5.2: the last part of a message
                    onFrame(ByteBuffer.wrap(parts.toByteArray()).order(ByteOrder.LITTLE_ENDIAN));
                    parts.reset();
                    if (acknowledges && !ordinals.isEmpty()) {
                        acknowledge(socket.getOutputStream());
                    }
                }
            }
        }

        private static void skipHead(final DataInputStream in) throws IOException {
            int last = 0;
            while (last != 0x0d0a0d0a) {
                last = last << Byte.SIZE | in.readUnsignedByte();
            }
        }

        private void onFrame(final ByteBuffer frame) {
            if (frame.get(1) == 2) {
                final String note =
                        StandardCharsets.UTF_8.decode(frame.slice(32, frame.getInt(4))).toString();
                if (note.contains("\"note\":\"end\"")) {
                    end = note;
                }
                if (note.contains("hello")) {
                    session = note.replaceAll(".*\"session\":\"([0-9a-f]+)\".*", "$1").strip();
                }
                return;
            }
            lastFrame = frame.getLong(8);
            assertThat(frame.getLong(16))
                    .as("written after it was wanted, on the feed's own clock")
                    .isBetween(frame.getLong(32), TimeUnit.SECONDS.toNanos(WAIT_S));
            LongStream.range(0, frame.getInt(4))
                    .map(i -> frame.getLong(24) + i)
                    .forEach(ordinals::add);
        }

        private void acknowledge(final OutputStream out) throws IOException {
            final ByteBuffer ack = ByteBuffer.allocate(22).order(ByteOrder.LITTLE_ENDIAN);
            ack.put((byte) 0x82).put((byte) 0x90).putInt(0); // binary, 16 bytes, a mask of zeros
            ack.putLong(lastFrame).putLong(ordinals.getLast());
            out.write(ack.array());
        }
    }

    private Taker take(final String query, final long until, final boolean acknowledges)
            throws Exception {
        final Taker taker = new Taker();
        try (Socket socket = server.webSocket("guaranteed=true" + query)) {
            taker.take(socket, until, acknowledges);
        }
        return taker;
    }

    /**
     * Merging drops messages without a number; numbered ones are kept until they are acknowledged.
     */
    @ParameterizedTest
    @ValueSource(strings = {"buffer", "merge"})
    void shouldDisconnectAtTheByteLimitReportTheGapAndCountIt(final String policy)
            throws Exception {
        final JsonNode end;
        try (Socket silent =
                server.silentWebSocket(
                        "guaranteed=true&limitBytes=20000&windowFrames=8&conflation=" + policy)) {
            final String all =
                    new String(silent.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            final Matcher note = Pattern.compile("\\{\"note\":\"end\".*?}").matcher(all);
            assertThat(note.find()).as("it is notified how it ends").isTrue();
            end = JSON.readTree(note.group());
        }

        final long sent = end.path("sent").asLong();
        assertThat(end.path("reason").asString())
                .isEqualTo(
                        CountSentence.of(
                                "More messages were waiting than may be kept for this session: %d message{|s} after"
                                        + " number %d {was|were} not sent.",
                                end.path("gapMessages").asLong(), sent));
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
        assertThat(server.hub().figures().counts().overLimit().get()).isEqualTo(1);
        assertThat(take("&conflation=buffer", 300, true).ordinals)
                .as("the others are unaffected")
                .startsWith(1L, 2L, 3L);
    }

    @Test
    void shouldReportToAReturningClientThatItsSessionReachedTheLimitMeanwhile() throws Exception {
        final Taker first = take("&conflation=buffer&limitBytes=20000", 100, false);
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        while (server.hub().figures().counts().overLimit().get() == 0
                && System.nanoTime() < endNs) {
            Thread.sleep(5);
        }

        final Taker second = take("&session=" + first.session + "&after=50", Long.MAX_VALUE, true);

        final JsonNode end = JSON.readTree(second.end);

        assertThat(end.path("reason").asString())
                .matches(
                        "More messages were waiting than may be kept .*: [0-9]+ messages? after number 50 w.+ not sent\\.");
        assertThat(end.path("gapFrom").asLong()).isEqualTo(51);
        assertThat(end.path("gapMessages").asLong()).isEqualTo(end.path("offered").asLong() - 50);
    }
}
