package io.tickmark.workloads.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.nulls.NullTransport;
import io.tickmark.workloads.messaging.LocalTrial;
import io.tickmark.workloads.messaging.OutgoingMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are due leave together; a single one is sent at once. */
@Timeout(120)
final class StreamBatchTest {
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
    void shouldLoseNothingWhereWhatIsDueGoesTogether(final String channel) throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                channel,
                                "topics",
                                "a,b,c",
                                "payloadBytes",
                                100,
                                "messages",
                                3_000,
                                "rate",
                                10_000,
                                "sendPath",
                                "batch"),
                        1,
                        "topics",
                        "a,b,c");

        assertThat(results.publisher().metrics())
                .containsEntry("sendPath", "batch")
                .containsKey("messagesPerBatch");
        final StepResult received = only(results.subscribers().getFirst().steps());
        assertThat(received.counts())
                .containsEntry(Counts.RECEIVED, 3_000L)
                .containsEntry(Counts.LOST, 0L)
                .containsEntry(Counts.REORDERED, 0L)
                .containsEntry(Counts.CORRUPTED, 0L);
        assertThat(received.latencies().get(Latencies.RESPONSE_NS).getTotalCount())
                .isEqualTo(3_000);
    }

    /** A loop that offers 64-byte messages together, on one topic. */
    private static void withLoop(final NanoClock clock, final Consumer<SendLoop> body) {
        final NullTransport transport = new NullTransport(clock);
        final ChannelUri channel = ChannelUri.parse("null:batches");
        try (Exchange sending = transport.exchange(channel, Topic.DEFAULT, ExchangeSide.BIND, 0);
                Exchange _ = transport.exchange(channel, Topic.DEFAULT, ExchangeSide.CONNECT, 1)) {
            final SendLoop loop =
                    new SendLoop(
                            List.of(sending.publication()),
                            1,
                            new OutgoingMessage(64, 1, true),
                            false,
                            64,
                            0,
                            new TestContext(1, 1, clock));
            loop.batch(true);
            body.accept(loop);
        }
    }

    @Test
    void shouldCountTheTimeOfTheLastGroupWhichMayBeTheOnlyOne() {
        final long[] nowNs = {0};
        final NanoClock clock = () -> nowNs[0] += 1_000; // each read takes a microsecond

        withLoop(
                clock,
                loop -> {
                    loop.start(
                            0,
                            0,
                            Schedules.asFastAsPossible(),
                            clock.nanoTime(),
                            1,
                            Long.MAX_VALUE);
                    final long beforeNs = clock.nanoTime();
                    loop.doWork();

                    assertThat(loop.isDone()).isTrue();
                    // Later than the clock read that showed the message as due, and the first read
                    // after it.
                    assertThat(loop.lastSentNs()).isGreaterThan(beforeNs + 1_000);
                });
    }

    @Test
    void shouldSendOneMessageAtOnceAndThoseThatAreLateTogether() {
        final VirtualClock clock = new VirtualClock(0);

        withLoop(
                clock,
                loop -> {
                    loop.start(
                            0,
                            0,
                            Schedules.fixedRate(1_000),
                            clock.nanoTime(),
                            100,
                            Long.MAX_VALUE);

                    loop.doWork();
                    assertThat(loop.sent()).isEqualTo(1);
                    clock.advance(10_000_000);
                    loop.doWork();
                    assertThat(loop.sent()).isEqualTo(11);
                    clock.advance(1_000_000);
                    loop.doWork();
                    assertThat(loop.sent()).isEqualTo(12);
                    assertThat(loop.messagesPerGroup()).isEqualTo(4);
                    assertThat(loop.pacer().maxLagNs()).isEqualTo(9_000_000);
                });
    }

    @Test
    void shouldCountTheMessagesOfTheApplicationApart() throws Exception {
        final LocalTrial.Results results =
                run(
                        Map.of(
                                "channel",
                                "null:",
                                "payloadBytes",
                                1420,
                                "messages",
                                100,
                                "rate",
                                10_000,
                                "messagesPerSend",
                                2),
                        1);

        assertThat(only(results.publisher().steps()).counts())
                .containsEntry(Counts.SENT, 100L)
                .containsEntry(Counts.APPLICATION_MESSAGES, 200L);
    }

    @ParameterizedTest
    @CsvSource({"lossPercent,1,--loss-percent", "sendHistogram,'10,50',--send-histogram"})
    void shouldRefuseABatchWhereSingleMessagesAreAskedFor(
            final String key, final String value, final String option) {
        assertThatThrownBy(
                        () -> run(Map.of("channel", "null:", "sendPath", "batch", key, value), 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--send-path batch")
                .hasMessageContaining(option);
    }
}
