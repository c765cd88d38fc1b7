package io.tickmark.workloads.messaging.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.messaging.LocalTrial;
import io.tickmark.workloads.messaging.latency.LatencySubscriber.LatencySubSettings;
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
    /** On a busy machine any thread may stand still for seconds with a ping in flight. */
    private static final Map<String, Object> QUICK = Map.of("warmUp", "20ms", "pingTimeout", "30s");

    private static final int MOST_TRIES = 5;

    static Map<String, Object> settings(final Object... keysAndValues) {
        final Map<String, Object> settings = new HashMap<>(QUICK);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            settings.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return settings;
    }

    private static LocalTrial.Results run(final Map<String, ?> settings, final int subscribers)
            throws Exception {
        return LocalTrial.run(
                new LatencyPublisher.Factory(),
                settings,
                new LatencySubscriber.Factory(),
                Map.of(),
                subscribers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"null:", "udp://127.0.0.1:0", "tcp://127.0.0.1:0", "mcast://239.192.0.78:0"})
    void shouldTimeEveryPingOfEachSize(final String channel) throws Exception {
        final LocalTrial.Results results =
                run(settings("channel", channel, "sizes", "16,32,700", "samples", 200), 1);

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
    @ValueSource(strings = {"null:", "shm:", "udp://127.0.0.1:0", "tcp://127.0.0.1:0"})
    void shouldTimeEveryPingWhereThreadsAreAdaptive(final String channel) throws Exception {
        for (final int rate : List.of(0, 500)) {
            final LocalTrial.Results results =
                    LocalTrial.playWaiting(
                            IdleMode.ADAPTIVE,
                            new LatencyPublisher.Factory(),
                            settings("channel", channel, "sizes", 64, "samples", 200, "rate", rate),
                            new LatencySubscriber.Factory(),
                            Map.of());

            assertThat(results.publisher().steps()).hasSize(1);
            assertThat(results.publisher().steps().getFirst().counts())
                    .containsEntry(Counts.SENT, 200L)
                    .containsEntry(Counts.TIMED_OUT, 0L);
            assertThat(results.subscribers().getFirst().steps().getFirst().counts())
                    .containsEntry(Counts.RECEIVED, 200L)
                    .containsEntry(Counts.LOST, 0L);
        }
    }

    /**
     * A publisher waits one second for the acknowledgement of an end, and echoes of the warm-up are
     * stale after that: the test is repeated where a subscriber stood still for that long.
     */
    private static LocalTrial.Results playUntilItIsWarm(final Map<String, ?> settings)
            throws Exception {
        LocalTrial.Results results = run(settings, 1);
        for (int tries = 1; tries < MOST_TRIES && !isWarm(results); tries++) {
            results = run(settings, 1);
        }
        return results;
    }

    private static boolean isWarm(final LocalTrial.Results results) {
        return warmUps(results) > 0
                && results.publisher().warnings().stream()
                        .noneMatch(
                                warning -> warning.startsWith("Not every subscriber acknowledged"));
    }

    private static long warmUps(final LocalTrial.Results results) {
        return (long) results.subscribers().getFirst().metrics().get("warmUpReceived");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 500})
    void shouldForgetTheWarmUpOnBothSides(final int ratePerSecond) throws Exception {
        final LocalTrial.Results results =
                playUntilItIsWarm(
                        settings(
                                "channel",
                                "null:",
                                "sizes",
                                "16,64",
                                "samples",
                                500, // with a rate: it may take four seconds
                                "rate",
                                ratePerSecond,
                                "warmUp",
                                "100ms"));

        final RoleResult subscriber = results.subscribers().getFirst();
        assertThat(warmUps(results)).isPositive();
        assertThat(results.publisher().warnings()).isEmpty();
        for (int step = 0; step < 2; step++) {
            assertThat(results.publisher().steps().get(step).counts())
                    .containsEntry(Counts.SENT, 500L)
                    .containsEntry(Counts.STALE, 0L);
            assertThat(subscriber.steps().get(step).counts())
                    .containsEntry(Counts.RECEIVED, 500L)
                    .containsEntry(Counts.LOST, 0L)
                    .containsEntry(Counts.STALE, 0L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null:", "udp://127.0.0.1:0"})
    void shouldLetOnlyTheHighestCookieEcho(final String channel) throws Exception {
        final LocalTrial.Results results =
                run(
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
        final LocalTrial.Results results =
                run(
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
                                "0",
                                // A flood over UDP may lose some, and they are waited for.
                                "pingTimeout",
                                "1s"),
                        1);

        final StepResult step = results.publisher().steps().getFirst();
        // The mean rate of this pace assumes that sends take no time: 200,000 messages.
        assertThat(step.counts().get(Counts.SENT)).isBetween(1L, 199_999L);
        assertThat(step.durationNs()).isBetween(1L, 200_000_000L + step.counts().get("maxLagNs"));
    }

    @Test
    void shouldNotTakeALongPauseForAPublisherThatDied() throws Exception {
        final LocalTrial.Results results =
                LocalTrial.run(
                        new LatencyPublisher.Factory(),
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
                                "7s",
                                "pingTimeout",
                                "10ms",
                                "warmUp",
                                "0ms"),
                        new LatencySubscriber.Factory(),
                        // Shorter than the pause; with it there is room for a slow machine.
                        Map.of("idleTimeout", "6s"),
                        1);

        assertThat(results.subscribers().getFirst().failure()).isEmpty();
        assertThat(results.subscribers().getFirst().steps().getFirst().counts())
                .containsEntry(Counts.RECEIVED, 2L);
    }

    @Test
    void shouldSendAtTheScheduledTimesInAnOpenLoop() throws Exception {
        final LocalTrial.Results results =
                run(settings("channel", "null:", "sizes", "64", "rate", 500, "samples", 500), 1);

        final StepResult step = results.publisher().steps().getFirst();
        assertThat(step.offeredRatePerSecond()).isEqualTo(500);
        assertThat(step.achievedRatePerSecond()).isPositive().isLessThanOrEqualTo(500 * (1 + 1e-9));
        assertThat(step.counts())
                .containsEntry(Counts.SENT, 500L)
                .containsEntry(Counts.TIMED_OUT, 0L);
        assertThat(step.latencies()).containsOnlyKeys(Latencies.RESPONSE_NS, Latencies.SERVICE_NS);
        assertThat(step.latencies().get(Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(500);
    }

    @Test
    void shouldChargeAStallToEveryPingItDelayed() throws Exception {
        final String stalling = "null:?stallEvery=200ms&stallFor=60ms";
        final long longNs = 10_000_000;

        final Histogram open =
                run(
                                settings(
                                        "channel", stalling, "sizes", "64", "rate", 2000, "samples",
                                        6_000), // all are sent, however late
                                1)
                        .publisher()
                        .steps()
                        .getFirst()
                        .latencies()
                        .get(Latencies.RESPONSE_NS);
        final Histogram closed =
                run(settings("channel", stalling, "sizes", "64", "duration", "1s"), 1)
                        .publisher()
                        .steps()
                        .getFirst()
                        .latencies()
                        .get(Latencies.ROUND_TRIP_NS);

        // In a closed loop no more than a hundred pings can take 10 ms in a second, however busy
        // the machine is.
        assertThat(above(open, longNs)).isGreaterThan(200);
        assertThat(above(closed, longNs)).isLessThanOrEqualTo(100);
    }

    /** The ring that remembers send times was as long as the mean rate needs, a few pings here. */
    @Test
    void shouldTimeTheServiceOfAllPingsOfABurstHoweverLateTheirEchoes() throws Exception {
        final LocalTrial.Results results =
                run(
                        settings(
                                "channel",
                                "null:?delay=500ms&capacityBytes=4194304",
                                "sizes",
                                "64",
                                "pace",
                                "bursts",
                                "rate",
                                40_000,
                                "burstOn",
                                "200ms",
                                "burstOff",
                                "1h",
                                "pingTimeout",
                                "1m",
                                "samples",
                                4_000,
                                "warmUp",
                                "0"),
                        1);

        final StepResult step = results.publisher().steps().getFirst();
        assertThat(step.counts())
                .containsEntry(Counts.SENT, 4_000L)
                .containsEntry(Counts.TIMED_OUT, 0L)
                .containsEntry(Counts.SEND_TIME_NOT_KEPT, 0L);
        assertThat(step.latencies().get(Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(4_000);
        assertThat(step.latencies().get(Latencies.SERVICE_NS).getTotalCount()).isEqualTo(4_000);
    }

    private static long above(final Histogram latencies, final long ns) {
        return latencies.getCountBetweenValues(ns, Long.MAX_VALUE);
    }

    /** Only those of an echo that is not ours were reported. */
    @Test
    void shouldCountEchoesThatComeTwice() throws Exception {
        final LocalTrial.Results results =
                run(
                        settings(
                                "channel",
                                "null:?duplicatePart=0.1",
                                "sizes",
                                "64",
                                "samples",
                                100,
                                "warmUp",
                                "0"),
                        1);

        assertThat(results.publisher().steps().getFirst().counts().get(Counts.DUPLICATED))
                .isPositive();
    }

    @Test
    void shouldCountLostPingsAndGoOn() throws Exception {
        final LocalTrial.Results results =
                run(
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
        assertThat(step.counts())
                .as("what its subscriber reported at the end of the step")
                .containsEntry(Counts.LOST_AT_SUBSCRIBERS, 10L)
                .containsEntry(Counts.NOT_CONFIRMED, 0L);
        assertThat(step.latencies().get(Latencies.ROUND_TRIP_NS).getTotalCount())
                .isEqualTo(100 - step.counts().get(Counts.TIMED_OUT));
        assertThat(results.subscribers().getFirst().steps().getFirst().counts())
                .containsEntry(Counts.RECEIVED, 90L)
                .containsEntry(Counts.LOST, 10L)
                .containsEntry(Counts.LOST_TAIL, 1L);
    }

    @Test
    void shouldRefuseASweepThatStampsCannotTellApart() {
        final String sizes =
                IntStream.rangeClosed(16, 16 + LatencyPubSettings.MAX_SIZES)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(","));

        assertThatThrownBy(() -> run(settings("sizes", sizes), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--sizes: 201 lengths");
    }

    @Test
    void shouldRefuseSizesThatTheChannelCannotCarry() {
        assertThatThrownBy(
                        () -> run(settings("channel", "udp://127.0.0.1:0", "sizes", "100000"), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--sizes 100000")
                .hasMessageContaining("65507");
    }

    @Test
    void shouldNameTheMissingEngineOfAChannel() {
        assertThatThrownBy(() -> run(settings("channel", "dds://88?transport=1"), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("dds");
    }

    /** Its own group takes precedence over the publisher's, which it learns from the publisher. */
    @Test
    void shouldHaveParametersOfItsOwnOnThePublishersChannel() {
        assertThat(own("multicast=225.3.2.1", "ttl=2"))
                .isEqualTo("dds://9?multicast=225.3.2.1&nic=lo&ttl=2");
        assertThat(own()).isEqualTo("dds://9?multicast=225.1.2.3&nic=lo");
    }

    private static String own(final String... parameters) {
        return Settings.read(
                        LatencySubSettings.class,
                        Map.of("channelParameters", List.of(parameters)),
                        key -> key)
                .own("dds://9?multicast=225.1.2.3&nic=lo");
    }

    @Test
    void shouldRefuseAParameterOfItsOwnWithoutValue() {
        assertThatThrownBy(() -> own("multicast"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("write each as name=value");
    }
}
