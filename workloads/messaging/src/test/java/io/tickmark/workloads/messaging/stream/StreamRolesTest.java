package io.tickmark.workloads.messaging.stream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.transport.nulls.NullTransport;
import io.tickmark.workloads.messaging.LocalTrial;
import io.tickmark.workloads.messaging.OutgoingMessage;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class StreamRolesTest {
    private static LocalTrial.Results run(
            final Map<String, ?> settings, final int subscribers, final String... keysAndValues)
            throws Exception {
        final Map<String, Object> publisher =
                new HashMap<>(Map.of("jvmWarmUp", "20ms", "subscribers", subscribers));
        publisher.putAll(settings);
        final Map<String, Object> subscriber = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            subscriber.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return LocalTrial.run(
                new StreamPublisher.Factory(),
                publisher,
                new StreamSubscriber.Factory(),
                subscriber,
                subscribers);
    }

    private static StepResult only(final List<StepResult> steps) {
        assertThat(steps).hasSize(1);
        return steps.getFirst();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null:",
                "tcp://127.0.0.1:0",
                "udp://127.0.0.1:0",
                "udp://127.0.0.1:0?batch=8"
            })
    void shouldReceiveWhatWasSentAtARate(final String channel) throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                channel,
                                "payloadBytes",
                                200,
                                "messages",
                                2000,
                                "rate",
                                4000,
                                "warmUpMessages",
                                "15,100"),
                        1);

        final StepResult sent = only(results.publisher().steps());
        assertThat(sent.counts()).containsEntry(Counts.SENT, 2000L);
        assertThat(sent.offeredRatePerSecond()).isEqualTo(4000);
        final StepResult received = only(results.subscribers().getFirst().steps());
        assertThat(received.payloadBytes()).isEqualTo(200);
        assertThat(received.counts())
                .containsEntry(Counts.RECEIVED, 2000L)
                .containsEntry(Counts.LOST, 0L)
                .containsEntry(Counts.CORRUPTED, 0L);
        assertThat(received.latencies().get(Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(2000);
        assertThat(received.latencies().get(Latencies.SERVICE_NS).getTotalCount()).isEqualTo(2000);
        assertThat((long) results.subscribers().getFirst().metrics().get("warmUpReceived"))
                .isGreaterThanOrEqualTo(15);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null:", "shm:", "tcp://127.0.0.1:0", "udp://127.0.0.1:0"})
    void shouldLoseNothingWhereThreadsAreAdaptive(final String channel) throws Exception {
        final LocalTrial.Results results =
                LocalTrial.playWaiting(
                        IdleMode.ADAPTIVE,
                        new StreamPublisher.Factory(),
                        Map.of(
                                "channel",
                                channel,
                                "jvmWarmUp",
                                "20ms",
                                "subscribers",
                                1,
                                "messages",
                                500,
                                "rate",
                                1000),
                        new StreamSubscriber.Factory(),
                        Map.of());

        assertThat(only(results.publisher().steps()).counts()).containsEntry(Counts.SENT, 500L);
        assertThat(only(results.subscribers().getFirst().steps()).counts())
                .containsEntry(Counts.RECEIVED, 500L)
                .containsEntry(Counts.LOST, 0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null:", "udp://127.0.0.1:0"})
    void shouldSendToTopicsInTurn(final String channel) throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                channel,
                                "topics",
                                "a,b,c",
                                "messages",
                                1000,
                                "rate",
                                5000),
                        2,
                        "topics",
                        "a,b,c");

        assertThat(only(results.publisher().steps()).counts()).containsEntry(Counts.SENT, 1000L);
        results.subscribers()
                .forEach(subscriber ->
                        assertThat(only(subscriber.steps()).counts())
                                .containsEntry(Counts.RECEIVED, 1000L)
                                .containsEntry(Counts.LOST, 0L));
    }

    /** As the reference starts it: one subscriber for publishers of any of its topics. */
    @ParameterizedTest
    @CsvSource({
        "null:, 'topic1', 'topic1,topic2,topic3,topic1abc', 900",
        "null:, 'topic1abc', 'topic1,topic2,topic3,topic1abc', 900",
        "udp://127.0.0.1:0, 'topic1abc', 'topic1,topic2,topic3,topic1abc', 900",
        "udp://127.0.0.1:0, 'topic1,topic2,topic3', 'topic1,topic2,topic3,topic1abc', 900",
        "udp://127.0.0.1:0, 'topic1,topic2,topic3', 'topic3,topic9', 300",
        "tcp://127.0.0.1:0, 'topic1,topic2,topic3', 'topic2', 300",
        "shm:, 'topic3,topic2,topic1', 'topic1,topic2,topic3,topic1abc', 900",
        "shm:, 'topic1abc', 'topic1,topic2,topic3,topic1abc', 900"
    })
    void shouldReceiveTheTopicsThatBothSidesName(
            final String channel, final String published, final String asked, final long expected)
            throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                channel,
                                "topics",
                                published,
                                "messages",
                                900,
                                "rate",
                                5000),
                        1,
                        "topics",
                        asked);

        final RoleResult subscriber = results.subscribers().getFirst();
        assertThat(only(subscriber.steps()).counts())
                .containsEntry(Counts.RECEIVED, expected)
                .containsEntry(Counts.LOST, 0L)
                .containsEntry(Counts.STALE, 0L);
        assertThat(subscriber.failure()).isEmpty();
        if (!published.contains("topic1abc") || asked.contains(",")) {
            assertThat(subscriber.warnings()).anyMatch(warning -> warning.startsWith("--topics: "));
        }
        assertThat(results.publisher().failure()).isEmpty();
    }

    /** Its rows said that they were lost: one exchange carries all topics, or one each. */
    @ParameterizedTest
    @CsvSource({"null:, 0", "tcp://127.0.0.1:0, 0", "shm:, 0", "null:, 20"})
    void shouldCountWhatASubscriberDoesNotAskFor(final String channel, final double lossPercent)
            throws Exception {
        final LocalTrial.Results results =
                LocalTrial.runEach(
                        new StreamPublisher.Factory(),
                        Map.of(
                                "channel",
                                channel,
                                "jvmWarmUp",
                                "20ms",
                                "subscribers",
                                2,
                                "topics",
                                "a,b",
                                "messages",
                                1001,
                                "rate",
                                5000,
                                "lossPercent",
                                lossPercent),
                        new StreamSubscriber.Factory(),
                        List.of(Map.of("topics", "b,a"), Map.of("topics", "b,nobody-has-it")));

        final Map<String, Long> sent = only(results.publisher().steps()).counts();
        final long all =
                only(results.subscribers().getFirst().steps()).counts().get(Counts.RECEIVED);
        final long some =
                only(results.subscribers().getLast().steps()).counts().get(Counts.RECEIVED);
        assertThat(some).isPositive();
        assertThat(all + sent.getOrDefault(Counts.LOST_ON_PURPOSE, 0L)).isEqualTo(1001);
        assertThat(sent)
                .containsEntry("stream-sub-2." + Counts.NOT_ASKED_FOR, all - some)
                .containsEntry(Counts.NOT_ASKED_FOR, all - some)
                .doesNotContainKey("stream-sub-1." + Counts.NOT_ASKED_FOR);
    }

    @Test
    void shouldAgreeOnMoreTopicsThanOneMessageNames() throws Exception {
        final String published =
                IntStream.rangeClosed(1, 500).mapToObj(i -> "topic" + i).collect(joining(","));
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "udp://127.0.0.1:0",
                                "topics",
                                published,
                                "messages",
                                1000,
                                "rate",
                                5000),
                        1,
                        "topics",
                        "topic500,topic7");

        assertThat(only(results.subscribers().getFirst().steps()).counts())
                .containsEntry(Counts.RECEIVED, 4L)
                .containsEntry(Counts.LOST, 0L);
    }

    @Test
    void shouldCountWhatItLosesOnPurpose() throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "null:",
                                "messages",
                                10_000,
                                "rate",
                                50_000,
                                "lossPercent",
                                5),
                        1);

        final long lost = only(results.publisher().steps()).counts().get(Counts.LOST_ON_PURPOSE);
        assertThat(lost).isBetween(300L, 700L);
        assertThat(only(results.publisher().steps()).counts()).containsEntry(Counts.SENT, 10_000L);
        assertThat(only(results.subscribers().getFirst().steps()).counts())
                .containsEntry(Counts.RECEIVED, 10_000 - lost)
                .containsEntry(Counts.LOST, lost);
    }

    /** A publisher by hand has nothing else to judge by; it said that it had passed. */
    @ParameterizedTest
    @ValueSource(strings = {"one", "one,two,three"})
    void shouldLearnFromEachSubscriberWhatItMissed(final String topics) throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "null:?lossPart=0.1",
                                "topics",
                                topics,
                                "messages",
                                3_000,
                                "rate",
                                20_000,
                                "warmUpMessages",
                                "0,1"),
                        2,
                        "topics",
                        topics);

        final List<Long> missed =
                results.subscribers().stream()
                        .map(subscriber -> only(subscriber.steps()).counts().get(Counts.LOST))
                        .toList();
        assertThat(missed).allSatisfy(lost -> assertThat(lost).isPositive());
        assertThat(only(results.publisher().steps()).counts())
                .containsEntry(Counts.LOST_AT_SUBSCRIBERS, missed.get(0) + missed.get(1))
                .containsEntry(Counts.NOT_CONFIRMED, 0L);
    }

    @Test
    void shouldGoAsFastAsTheChannelTakesIt() throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "tcp://127.0.0.1:0",
                                "messages",
                                20_000,
                                "rate",
                                999_999_999),
                        1);

        final StepResult sent = only(results.publisher().steps());
        assertThat(sent.offeredRatePerSecond()).isZero();
        assertThat(sent.counts().get(Counts.MAX_TIGHT_SENDS)).isEqualTo(20_000);
        assertThat(results.publisher().metrics())
                .containsEntry("pace", "as-fast-as-possible")
                .containsEntry("maxFlightSize", "n/a");
        assertThat(only(results.subscribers().getFirst().steps()).counts())
                .containsEntry(Counts.RECEIVED, 20_000L);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 64, 700})
    void shouldTimeEachMessageAsFastAsPossible(final int payloadBytes) throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "tcp://127.0.0.1:0",
                                "payloadBytes",
                                payloadBytes,
                                "messages",
                                20_000),
                        1);

        assertThat(results.publisher().metrics()).containsEntry("sendPath", "offer-all");
        final StepResult received = only(results.subscribers().getFirst().steps());
        assertThat(received.counts())
                .containsEntry(Counts.RECEIVED, 20_000L)
                .containsEntry(Counts.CORRUPTED, 0L)
                .containsEntry(Counts.NOT_POSITIVE, 0L);
        assertThat(received.latencies().get(Latencies.RESPONSE_NS).getTotalCount())
                .isEqualTo(20_000);
        if (payloadBytes >= 32) {
            assertThat(received.latencies().get(Latencies.SERVICE_NS).getTotalCount())
                    .isEqualTo(20_000);
        }
    }

    @Test
    void shouldSendEachByItselfWhereThePathIsChosen() throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "tcp://127.0.0.1:0",
                                "messages",
                                2_000,
                                "sendPath",
                                "offer"),
                        1);

        assertThat(results.publisher().metrics())
                .containsEntry("sendPath", "offer")
                .doesNotContainKey("messagesPerClockRead");
        assertThat(only(results.subscribers().getFirst().steps()).counts())
                .containsEntry(Counts.RECEIVED, 2_000L)
                .containsEntry(Counts.CORRUPTED, 0L);
    }

    @Test
    void shouldShowTheTimeInsideTheSendCall() throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "null:",
                                "messages",
                                500,
                                "rate",
                                5000,
                                "sendHistogram",
                                "4,1000000000"),
                        1);

        assertThat(
                        only(results.publisher().steps())
                                .latencies()
                                .get(Latencies.SEND_NS)
                                .getTotalCount())
                .isEqualTo(500);
        assertThat(results.publisher().metrics())
                .containsEntry("sendHistogram", "0-1000000000ns=500 above=0");
    }

    @Test
    void shouldStayAfterTheEndWhereAsked() throws Exception {
        final NanoClock clock = SystemNanoClock.INSTANCE;
        final long startNs = clock.nanoTime();
        final LocalTrial.Results results =
                run(
                        Map.of("channel", "null:", "messages", 10),
                        1,
                        "exitAtEnd",
                        "false",
                        "idleTimeout",
                        "7s"); // the publisher may stand still before its first message

        assertThat(clock.nanoTime() - startNs).isGreaterThan(7_000_000_000L);
        assertThat(results.subscribers().getFirst().failure()).isEmpty();
        assertThat(only(results.subscribers().getFirst().steps()).counts())
                .containsEntry(Counts.RECEIVED, 10L);
    }

    /** Messages held back by a stall arrive in one poll. */
    @Test
    void shouldLogEachMessageAlsoBehindADuplicateOfTheSamePoll(@TempDir final Path folder)
            throws Exception {
        final TestContext host = TestContext.recordingTo(folder);
        final LocalTrial.Results results =
                LocalTrial.run(
                        new StreamPublisher.Factory(),
                        Map.of(
                                "channel",
                                "null:log?duplicatePart=0.5&stallEvery=100ms&stallFor=50ms",
                                "messages",
                                400,
                                "rate",
                                2000,
                                "jvmWarmUp",
                                "0"),
                        new StreamSubscriber.Factory(),
                        Map.of("logLatencies", true),
                        List.of(host));
        host.recording().close();

        assertThat(only(results.subscribers().getFirst().steps()).counts())
                .containsEntry(Counts.RECEIVED, 400L)
                .containsEntry(Counts.DUPLICATED, 200L);
        assertThat(folder.resolve(RoleFiles.EACH_LATENCY))
                .as("a heading, and a line for each")
                .content()
                .hasLineCount(401)
                .contains(",latencyNs,source,sequence\n", ",1,0\n", ",1,399\n");
    }

    @Test
    void shouldWarmUpWithEnoughToCompileAtALowRate() throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "tcp://127.0.0.1:0",
                                "messages",
                                10,
                                "rate",
                                100,
                                "jvmWarmUp",
                                "6s"), // of which half, however long the publisher stands still
                        1);

        assertThat((long) results.subscribers().getFirst().metrics().get("warmUpReceived"))
                .as("at the rate alone they would be 600")
                .isGreaterThan(1_000);
        assertThat(only(results.publisher().steps()).counts()).containsEntry(Counts.SENT, 10L);
        assertThat(only(results.subscribers().getFirst().steps()).counts())
                .containsEntry(Counts.RECEIVED, 10L)
                .containsEntry(Counts.LOST, 0L)
                .containsEntry(Counts.DUPLICATED, 0L);
    }

    @Test
    void shouldTakeNoTimeWhereNothingWasSent() {
        final NullTransport transport = new NullTransport(SystemNanoClock.INSTANCE);
        final ChannelUri channel = ChannelUri.parse("null:nobody-hears");
        try (Exchange alone = transport.exchange(channel, Topic.DEFAULT, ExchangeSide.BIND, 0)) {
            final SendLoop loop =
                    new SendLoop(
                            List.of(alone.publication()),
                            1,
                            new OutgoingMessage(64, 1, true),
                            false,
                            64,
                            0,
                            new TestContext(1, 1));
            final long startNs = SystemNanoClock.INSTANCE.nanoTime();
            loop.run(0, 0, Schedules.fixedRate(1000), startNs, 10, startNs + 1);

            assertThat(loop.sent()).isZero();
            assertThat(loop.lastSentNs()).isEqualTo(startNs);
        }
    }

    /** Its rate was that of the first second. */
    @Test
    void shouldCountTheTimeAtTheEndInWhichTheEngineTookNothing() {
        final VirtualClock clock = new VirtualClock(1_000_000_000);
        final Publication stalls =
                new Publication() {
                    private int taken;

                    @Override
                    public long offer(
                            final DirectBuffer buffer, final int offset, final int length) {
                        clock.advance(1_000_000);
                        return taken == 1_000 ? BACK_PRESSURED : taken++;
                    }

                    @Override
                    public int doWork() {
                        return 0;
                    }

                    @Override
                    public int subscriberCount() {
                        return 1;
                    }

                    @Override
                    public ChannelUri channel() {
                        return ChannelUri.parse("null:stalls");
                    }

                    @Override
                    public void close() {}
                };
        final SendLoop loop =
                new SendLoop(
                        List.of(stalls),
                        1,
                        new OutgoingMessage(64, 1, true),
                        false,
                        64,
                        0,
                        new TestContext(1, 1, clock));
        final long startNs = clock.nanoTime();
        loop.run(
                0,
                0,
                Schedules.asFastAsPossible(),
                startNs,
                Long.MAX_VALUE,
                startNs + 5_000_000_000L);

        assertThat(loop.sent()).isEqualTo(1_000);
        assertThat(loop.achievedRatePerSecond()).isEqualTo(200);
        assertThat(loop.untilNs() - startNs).isEqualTo(5_000_000_000L);
    }

    /** An attempt to open it again took longer than the publisher waits: no further one is made. */
    @Test
    void shouldGiveUpAStoreAfterOneAttemptThatTookTooLong() {
        final VirtualClock clock = new VirtualClock(1_000_000_000);
        final AtomicInteger attempts = new AtomicInteger();
        final SendLoop loop = toAStoreThatIsGone(clock, attempts, 17_000_000_000L);
        loop.run(0, 0, Schedules.fixedRate(1000), clock.nanoTime(), 10, Long.MAX_VALUE);

        assertThat(loop.isStalled()).isTrue();
        assertThat(attempts).hasValue(1);
    }

    /** It was waited for in the warm-up, and as long again in the measurement. */
    @Test
    void shouldNotWaitAnewForAStoreThatWasGivenUpInTheWarmUp() {
        final VirtualClock clock = new VirtualClock(1_000_000_000);
        final AtomicInteger attempts = new AtomicInteger();
        final SendLoop loop = toAStoreThatIsGone(clock, attempts, 6_000_000_000L);
        loop.run(0, 0, Schedules.fixedRate(1000), clock.nanoTime(), 10, Long.MAX_VALUE);
        assertThat(loop.isStalled()).isTrue();
        assertThat(attempts).hasValue(2);

        loop.continueStep();
        loop.run(0, 0, Schedules.fixedRate(1000), clock.nanoTime(), 10, Long.MAX_VALUE);

        assertThat(loop.isStalled()).isTrue();
        assertThat(attempts).as("one more, as it may be back").hasValue(3);
    }

    /** The publisher waits for it for ten seconds. */
    private static SendLoop toAStoreThatIsGone(
            final VirtualClock clock, final AtomicInteger attempts, final long attemptNs) {
        final Publication gone =
                new Publication() {
                    @Override
                    public long offer(
                            final DirectBuffer buffer, final int offset, final int length) {
                        return BACK_PRESSURED;
                    }

                    @Override
                    public int doWork() {
                        attempts.incrementAndGet();
                        clock.advance(attemptNs);
                        return 0;
                    }

                    @Override
                    public int subscriberCount() {
                        return 0;
                    }

                    @Override
                    public ChannelUri channel() {
                        return ChannelUri.parse("null:gone");
                    }

                    @Override
                    public void close() {}
                };
        final SendLoop loop =
                new SendLoop(
                        List.of(gone),
                        1,
                        new OutgoingMessage(64, 1, true),
                        false,
                        64,
                        0,
                        new TestContext(1, 1, clock));
        loop.giveUpAfter(10_000_000_000L, refusal -> {});
        return loop;
    }

    @Test
    void shouldEndByDuration() throws Exception {
        final LocalTrial.Results results =
                run(Map.of("channel", "null:", "duration", "200ms", "rate", 1000), 1);

        // However long the machine stood still meanwhile: never more messages than the duration
        // allows.
        assertThat(only(results.publisher().steps()).counts().get(Counts.SENT)).isBetween(1L, 200L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "ticks", "bursts", "poisson"})
    void shouldNeverAchieveMoreThanTheScheduleAsksFor(final String pace) throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "null:",
                                "messages",
                                103,
                                "rate",
                                1000,
                                "pace",
                                pace,
                                "burstOff",
                                "10ms"),
                        1);

        final StepResult sent = only(results.publisher().steps());
        assertThat(sent.achievedRatePerSecond())
                .isPositive()
                .isLessThanOrEqualTo(sent.offeredRatePerSecond() * (1 + 1e-9));
    }

    @Test
    void shouldRefuseClaimsWhereTheTransportHasNone() {
        assertThatThrownBy(
                        () -> run(Map.of("channel", "udp://127.0.0.1:0", "sendPath", "claim"), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--send-path claim");
    }

    @Test
    void shouldAskForBothNumbersOfTheWarmUp() {
        assertThatThrownBy(() -> run(Map.of("warmUpMessages", "15"), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("MESSAGES,RATE");
    }
}
