package io.tickmark.workloads.messaging.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.Cast;
import io.tickmark.workloads.messaging.TestContext;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class LatencyRolesTest {
    private static final Map<String, Object> QUICK = Map.of("warmUp", "20ms");

    private static Map<String, Object> settings(final Object... keysAndValues) {
        final Map<String, Object> settings = new HashMap<>(QUICK);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            settings.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return settings;
    }

    private static Cast.Results play(final Map<String, ?> settings, final int subscribers)
            throws Exception {
        return Cast.play(
                new LatencyPubFactory(), settings, new LatencySubFactory(), Map.of(), subscribers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"null:", "udp://127.0.0.1:0", "tcp://127.0.0.1:0", "mcast://239.192.0.78:0"})
    void shouldTimeEveryPingOfEachSize(final String channel) throws Exception {
        final Cast.Results results =
                play(settings("channel", channel, "sizes", "16,32,700", "samples", 200), 1);

        assertThat(results.publisher().failure()).isEmpty();
        assertThat(results.publisher().steps())
                .extracting(StepResult::payloadBytes)
                .containsExactly(16, 32, 700);
        for (final StepResult step : results.publisher().steps()) {
            assertThat(step.counts())
                    .containsEntry(Counts.SENT, 200L)
                    .containsEntry(Counts.TIMED_OUT, 0L);
            assertThat(step.latencies().get(Latencies.ROUND_TRIP_NS).getTotalCount())
                    .isEqualTo(200);
        }
        final List<StepResult> received = results.subscribers().getFirst().steps();
        assertThat(received).extracting(StepResult::payloadBytes).containsExactly(16, 32, 700);
        for (final StepResult step : received) {
            assertThat(step.counts())
                    .containsEntry(Counts.RECEIVED, 200L)
                    .containsEntry(Counts.LOST, 0L)
                    .containsEntry(Counts.DUPLICATED, 0L)
                    .containsEntry(Counts.CORRUPTED, 0L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5000})
    void shouldForgetTheWarmUpOnBothSides(final int ratePerSecond) throws Exception {
        final Cast.Results results =
                play(
                        settings(
                                "channel",
                                "null:",
                                "sizes",
                                "16,64",
                                "samples",
                                100,
                                "rate",
                                ratePerSecond,
                                "warmUp",
                                "100ms"),
                        1);

        final RoleResult subscriber = results.subscribers().getFirst();
        assertThat((long) subscriber.metrics().get("warmUpReceived")).isPositive();
        assertThat(results.publisher().warnings()).isEmpty();
        for (int step = 0; step < 2; step++) {
            assertThat(results.publisher().steps().get(step).counts())
                    .containsEntry(Counts.SENT, 100L)
                    .containsEntry(Counts.STALE, 0L);
            assertThat(subscriber.steps().get(step).counts())
                    .containsEntry(Counts.RECEIVED, 100L)
                    .containsEntry(Counts.LOST, 0L)
                    .containsEntry(Counts.STALE, 0L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null:", "udp://127.0.0.1:0"})
    void shouldLetOnlyTheHighestCookieEcho(final String channel) throws Exception {
        final Cast.Results results =
                play(
                        settings(
                                "channel",
                                channel,
                                "sizes",
                                "64",
                                "samples",
                                300,
                                "subscribers",
                                3),
                        3);

        assertThat(results.publisher().steps().getFirst().counts())
                .containsEntry(Counts.TIMED_OUT, 0L);
        assertThat(results.subscribers())
                .extracting(result -> result.metrics().get("echoes"))
                .containsExactly(false, false, true);
        for (final RoleResult subscriber : results.subscribers()) {
            assertThat(subscriber.steps().getFirst().counts()).containsEntry(Counts.RECEIVED, 300L);
        }
    }

    @Test
    void shouldSendWhatIsWantedWithinTheDurationWhateverSendsTake() throws Exception {
        final Cast.Results results =
                play(
                        settings(
                                "channel",
                                "udp://127.0.0.1:0",
                                "sizes",
                                "64",
                                "duration",
                                "200ms",
                                "pace",
                                "sleep",
                                "sleep",
                                "0"),
                        1);

        final StepResult step = results.publisher().steps().getFirst();
        // The mean rate of this pace is that of sends which take no time: 200,000 messages.
        assertThat(step.counts().get(Counts.SENT)).isBetween(1L, 199_999L);
        assertThat(step.durationNs()).isBetween(1L, 200_000_000L + step.counts().get("maxLagNs"));
    }

    @Test
    void shouldNotTakeALongPauseForAPublisherThatDied() throws Exception {
        final Cast.Results results =
                Cast.play(
                        new LatencyPubFactory(),
                        settings(
                                "channel",
                                "udp://127.0.0.1:0",
                                "sizes",
                                "64",
                                "samples",
                                2,
                                "pace",
                                "sleep",
                                "sleep",
                                "400ms",
                                "warmUp",
                                "0ms"),
                        new LatencySubFactory(),
                        Map.of("idleTimeout", "100ms"),
                        1);

        assertThat(results.subscribers().getFirst().failure()).isEmpty();
        assertThat(results.subscribers().getFirst().steps().getFirst().counts())
                .containsEntry(Counts.RECEIVED, 2L);
    }

    @Test
    void shouldSendAtTheScheduledTimesInAnOpenLoop() throws Exception {
        final Cast.Results results =
                play(settings("channel", "null:", "sizes", "64", "rate", 5000, "samples", 1000), 1);

        final StepResult step = results.publisher().steps().getFirst();
        assertThat(step.offeredRatePerSecond()).isEqualTo(5000);
        assertThat(step.achievedRatePerSecond())
                .isPositive()
                .isLessThanOrEqualTo(5000 * (1 + 1e-9));
        assertThat(step.counts())
                .containsEntry(Counts.SENT, 1000L)
                .containsEntry(Counts.TIMED_OUT, 0L);
        assertThat(step.latencies()).containsOnlyKeys(Latencies.RESPONSE_NS, Latencies.SERVICE_NS);
        assertThat(step.latencies().get(Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(1000);
    }

    @Test
    void shouldChargeAStallToEveryPingItDelayed() throws Exception {
        final String stalling = "null:?stallEvery=200ms&stallFor=60ms";
        final long longNs = 10_000_000;

        final Histogram open =
                play(
                                settings(
                                        "channel",
                                        stalling,
                                        "sizes",
                                        "64",
                                        "rate",
                                        2000,
                                        "duration",
                                        "1s"),
                                1)
                        .publisher()
                        .steps()
                        .getFirst()
                        .latencies()
                        .get(Latencies.RESPONSE_NS);
        final Histogram closed =
                play(settings("channel", stalling, "sizes", "64", "duration", "1s"), 1)
                        .publisher()
                        .steps()
                        .getFirst()
                        .latencies()
                        .get(Latencies.ROUND_TRIP_NS);

        // Of a closed loop no more than a hundred can take 10 ms in a second, however busy it is.
        assertThat(above(open, longNs)).isGreaterThan(200);
        assertThat(above(closed, longNs)).isLessThanOrEqualTo(100);
    }

    private static long above(final Histogram latencies, final long ns) {
        return latencies.getCountBetweenValues(ns, Long.MAX_VALUE);
    }

    @Test
    void shouldCountLostPingsAndGoOn() throws Exception {
        final Cast.Results results =
                play(
                        settings(
                                "channel",
                                "null:?lossPart=0.1",
                                "sizes",
                                "64",
                                "samples",
                                100,
                                "pingTimeout",
                                "5ms",
                                "warmUp",
                                "0"),
                        1);

        final StepResult step = results.publisher().steps().getFirst();
        assertThat(step.counts().get(Counts.SENT)).isEqualTo(100);
        assertThat(step.counts().get(Counts.TIMED_OUT)).isGreaterThanOrEqualTo(10);
        assertThat(step.latencies().get(Latencies.ROUND_TRIP_NS).getTotalCount())
                .isEqualTo(100 - step.counts().get(Counts.TIMED_OUT));
        assertThat(results.subscribers().getFirst().steps().getFirst().counts())
                .containsEntry(Counts.RECEIVED, 90L)
                .containsEntry(Counts.LOST, 10L)
                .containsEntry(Counts.LOST_TAIL, 1L);
    }

    @Test
    void shouldMeasureAForeignUdpEcho() throws Exception {
        final Thread server;
        try (DatagramSocket echo = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            server = Thread.ofPlatform().daemon().start(() -> echoDatagrams(echo));
            final RoleResult result = playAlone("udp://127.0.0.1:" + echo.getLocalPort());

            assertThat(result.steps().getFirst().counts())
                    .containsEntry(Counts.SENT, 100L)
                    .containsEntry(Counts.RECEIVED, 100L)
                    .containsEntry(Counts.CORRUPTED, 0L);
        }
        server.join();
    }

    @Test
    void shouldMeasureAForeignTcpEcho() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final Thread server = Thread.ofPlatform().daemon().start(() -> echoStream(listener));
            final RoleResult result = playAlone("tcp://127.0.0.1:" + listener.getLocalPort());

            assertThat(result.steps().getFirst().counts()).containsEntry(Counts.RECEIVED, 100L);
            server.join();
        }
    }

    private static RoleResult playAlone(final String channel) {
        final LatencyPubSettings settings =
                Settings.read(
                        LatencyPubSettings.class,
                        settings(
                                "channel",
                                channel,
                                "echo",
                                "external",
                                "sizes",
                                "64",
                                "samples",
                                100),
                        key -> key);
        try (Role publisher = new LatencyPubFactory().create(settings, new TestContext(1, 1))) {
            publisher.prepare();
            publisher.connect(Endpoints.NONE);
            return publisher.run(0);
        }
    }

    private static void echoDatagrams(final DatagramSocket echo) {
        final DatagramPacket packet = new DatagramPacket(new byte[65_507], 65_507);
        try {
            while (true) {
                packet.setLength(65_507);
                echo.receive(packet);
                echo.send(packet);
            }
        } catch (final java.io.IOException e) {
            // closed: the test is over
        }
    }

    private static void echoStream(final ServerSocket listener) {
        try (Socket peer = listener.accept()) {
            peer.getInputStream().transferTo(peer.getOutputStream());
        } catch (final java.io.IOException e) {
            // the client went away: the test is over
        }
    }

    @Test
    void shouldSayThatNoEchoAnswers() throws Exception {
        final int port;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        final LatencyPubSettings settings =
                Settings.read(
                        LatencyPubSettings.class,
                        settings("channel", "udp://127.0.0.1:" + port, "echo", "external"),
                        key -> key);
        try (Role publisher =
                new LatencyPubFactory()
                        .create(settings, new TestContext(1, 1).connectingFor(200_000_000))) {
            publisher.prepare();
            assertThatThrownBy(() -> publisher.connect(Endpoints.NONE))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.ENVIRONMENT))
                    .hasMessageContaining("udp://127.0.0.1:" + port)
                    .hasMessageContaining("no echo");
        }
    }

    @Test
    void shouldRefuseASweepThatStampsCannotTellApart() {
        final String sizes =
                IntStream.rangeClosed(16, 16 + LatencyPubSettings.MAX_SIZES)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(","));

        assertThatThrownBy(() -> play(settings("sizes", sizes), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--sizes: 201 lengths");
    }

    @Test
    void shouldRefuseSizesThatTheChannelCannotCarry() {
        assertThatThrownBy(
                        () -> play(settings("channel", "udp://127.0.0.1:0", "sizes", "100000"), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--sizes 100000")
                .hasMessageContaining("65507");
    }

    @Test
    void shouldNameTheMissingEngineOfAReferenceCommandLine() {
        assertThatThrownBy(() -> play(settings("domainId", 88, "transport", 1), 1))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> assertThat(e.kind()).isEqualTo(UserError.Kind.ENVIRONMENT))
                .hasMessageContaining("DDS")
                .hasMessageContaining("dds://88?transport=1");
    }
}
