package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.RoleRecording;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.client.ClientCounts;
import io.tickmark.workloads.feed.client.ClientGroup;
import io.tickmark.workloads.feed.session.Ending;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One client misbehaves; ten others receive every message nevertheless. */
class MisbehavingClientsTest {
    private static final int GOOD_CLIENTS = 10;
    private static final int SILENT_SESSIONS = 2000;
    private static final long WAIT_NS = 120_000_000_000L;

    private static final Pattern MISSED =
            Pattern.compile(
                    "More messages were waiting than may be kept for this session: (\\d+) messages? after number (\\d+) w");

    private RunningServer server;
    private final List<Socket> bad = new ArrayList<>();

    @BeforeEach
    void start() {
        server = new RunningServer(Map.of("symbols", 50, "rate", 5000)).start();
    }

    @AfterEach
    void stop() throws IOException {
        for (final Socket socket : bad) {
            socket.close();
        }
        server.close();
    }

    /** A connection that was upgraded and reads nothing by itself. */
    private Socket webSocket(final String query) throws IOException {
        final Socket socket = server.silentWebSocket(query);
        bad.add(socket);
        return socket;
    }

    /**
     * Repeats the request until the condition holds, and not once more: a request may open a
     * session.
     */
    private static void await(final BooleanSupplier condition) throws InterruptedException {
        final long endNs = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as("in time").isNegative();
            Thread.sleep(5);
        }
    }

    /** Ten clients receive for a while; nothing may be missing. */
    private ClientCounts others() {
        final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
        try (ClientGroup group = new ClientGroup(SystemNanoClock.INSTANCE, recording)) {
            for (int i = 0; i < GOOD_CLIENTS; i++) {
                group.connect(
                        server.forClients(),
                        ChannelList.shipped().get(i % 2 == 0 ? "ws-binary" : "ws-json"),
                        RunningServer.session(
                                Map.of("conflation", "buffer", "flush", i % 3 + "ms")));
            }
            assertThat(group.awaitOpen(WAIT_NS)).isTrue();
            final long nowNs = System.nanoTime();
            // a busy machine takes longer for as many
            group.measure(
                    nowNs,
                    nowNs + WAIT_NS,
                    () ->
                            group.counts().received().get() > GOOD_CLIENTS * 100
                                    || group.isAnyOver());
            assertThat(group.finish(WAIT_NS)).isTrue();
            assertThat(group.unexpectedEndings()).isEmpty();
            return group.counts();
        }
    }

    private void assertOthersAreUnaffected() {
        final ClientCounts figures = others();
        assertThat(figures.lost().get()).isZero();
        assertThat(figures.duplicated().get()).isZero();
        assertThat(figures.received().get()).isGreaterThan(GOOD_CLIENTS * 100);
    }

    @Test
    void shouldDisconnectABufferThatReachesItsLimit() throws Exception {
        webSocket("conflation=buffer&limitBytes=100k&windowFrames=8");
        await(() -> server.hub().figures().counts().overLimit().get() == 1);
        assertOthersAreUnaffected();
    }

    @Test
    void shouldReportToADisconnectedBufferWhatItMissed() throws Exception {
        final Socket slow = webSocket("conflation=buffer&limitBytes=100k&windowFrames=8");
        final String all =
                new String(slow.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        final Matcher end = MISSED.matcher(all);
        assertThat(end.find()).as(all.substring(Math.max(0, all.length() - 300))).isTrue();
        final long missed = Long.parseLong(end.group(1));
        // 100k are 2500 messages; messages together with the excess one were refused as well
        assertThat(missed).isGreaterThan(2500);
        assertThat(all)
                .contains("\"gapFrom\":" + (Long.parseLong(end.group(2)) + 1))
                .contains("\"gapMessages\":" + missed)
                .contains("\"offered\":" + (Long.parseLong(end.group(2)) + missed));
    }

    @Test
    void shouldKeepNoQueueForAMergingClientThatNeverAcknowledges() throws Exception {
        final Socket silent = webSocket("conflation=merge&windowFrames=4&flush=10ms");
        final InputStream in = silent.getInputStream();
        silent.setSoTimeout(120_000);
        int frames = 0;
        final byte[] bytes = new byte[65_536];
        String all = "";
        while (all.split("\"waiting\":50,", -1).length <= 2) { // a second has passed in between
            final int read = in.read(bytes);
            assertThat(read).as(all).isPositive();
            all += new String(bytes, 0, read, StandardCharsets.ISO_8859_1);
        }
        // four frames of messages, then nothing but the status of each second
        for (int at = all.indexOf("\u0001\u0001\u0028\u0000"); at >= 0; frames++) {
            at = all.indexOf("\u0001\u0001\u0028\u0000", at + 1);
        }
        assertThat(frames).isEqualTo(4);
        assertThat(all).contains("\"note\":\"status\"");
    }

    @Test
    void shouldEndAClientThatSendsGarbage() throws Exception {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20; i++) {
            final byte[] garbage = new byte[500];
            random.nextBytes(garbage);
            webSocket("").getOutputStream().write(garbage);
        }
        await(() -> server.hub().figures().counts().opened().get() == 20);
        await(() -> server.hub().figures().sessions() == 0);
        assertOthersAreUnaffected();
    }

    @Test
    void shouldCountAnswersWithTheTimeThatAClientDoesNotTake() throws Exception {
        final byte[] questions = new byte[14 * 1000]; // masked with zeroes, 8 bytes each
        for (int i = 0; i < questions.length; i += 14) {
            questions[i] = (byte) 0x82;
            questions[i + 1] = (byte) 0x88;
        }
        final Thread asking =
                Thread.ofPlatform()
                        .start(() -> {
                            // a server that stood for seconds reads as a flood what came meanwhile
                            while (server.hub().figures().counts().clockUnanswered().get() == 0) {
                                askUntilClosed(questions);
                            }
                        });
        await(() -> server.hub().figures().counts().clockUnanswered().get() == 1);
        asking.join();
        assertOthersAreUnaffected();
    }

    private void askUntilClosed(final byte[] questions) {
        try (Socket silent = server.silentWebSocketAt("clock", "")) {
            while (server.hub().figures().counts().clockUnanswered().get() == 0) {
                silent.getOutputStream().write(questions);
                Thread.sleep(50); // below what counts as a flood
            }
        } catch (final IOException | InterruptedException _) {
            // the server closed it
        }
    }

    @Test
    void shouldEndAClientThatFloods() throws Exception {
        final Socket flood = webSocket("");
        final byte[] acknowledgements = new byte[22 * 1000];
        for (int i = 0; i < acknowledgements.length; i += 22) {
            acknowledgements[i] = (byte) 0x82;
            acknowledgements[i + 1] = (byte) 0x90;
        }
        try {
            for (int i = 0; i < 2000; i++) {
                flood.getOutputStream().write(acknowledgements);
            }
        } catch (final IOException _) {
            // the server closed it
        }
        await(() -> server.hub().figures().counts().opened().get() == 1);
        await(() -> server.hub().figures().sessions() == 0);
        assertOthersAreUnaffected();
    }

    /**
     * Some never send anything, the others are sessions that are sent messages and never read one.
     */
    @Test
    void shouldServeOthersWhileThousandsOfSocketsAndSessionsStandOpen() throws Exception {
        for (int i = 0; i < 300; i++) {
            bad.add(new Socket("127.0.0.1", server.address().getPort()));
        }
        for (int i = 0; i < SILENT_SESSIONS; i++) {
            webSocket("conflation=merge&flush=100ms&windowFrames=4");
        }
        await(() -> server.hub().figures().counts().opened().get() == SILENT_SESSIONS);
        assertOthersAreUnaffected();
        await(() -> server.hub().figures().sessions() == SILENT_SESSIONS);
        for (int i = SILENT_SESSIONS; i < RunningServer.MOST_SESSIONS; i++) {
            webSocket("conflation=merge&flush=100ms&windowFrames=4");
        }
        await(() -> server.hub().figures().sessions() == RunningServer.MOST_SESSIONS);
        await(() -> statusOfOneMore().equals("HTTP/1.1 101"));
        assertThat(server.hub().figures().ended(Ending.Kind.GIVEN_UP))
                .as("those that it replaced are not read")
                .isPositive();
    }

    private String statusOfOneMore() {
        try {
            return new String(
                    webSocket("").getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldForgetClientsThatDisappear() throws Exception {
        for (int i = 0; i < 50; i++) {
            final Socket gone = webSocket("");
            assertThat(gone.getInputStream().read()).isEqualTo('H');
            gone.setSoLinger(true, 0);
            gone.close();
        }
        await(() -> server.hub().figures().counts().opened().get() == 50);
        await(() -> server.hub().figures().sessions() == 0);
        assertOthersAreUnaffected();
    }
}
