package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.nulls.NullTransport;
import io.tickmark.workloads.messaging.session.PublisherSession;
import io.tickmark.workloads.messaging.session.SubscriberSession;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;

final class ForeignMessagesFuzzTest {
    private static final int TOPICS = 2;
    private static final int MAX_LENGTH = 48;

    /** What a message handler takes, offset 0. */
    private interface Taker {
        void take(UnsafeBuffer message, int length);
    }

    /** Consecutive messages, each with its length before it; all belong to the trial. */
    private static void each(final byte[] bytes, final int trialId, final Taker taker) {
        int at = 0;
        while (at < bytes.length) {
            final int length = Math.min((bytes[at] & 0xff) % MAX_LENGTH, bytes.length - at - 1);
            final byte[] message = Arrays.copyOfRange(bytes, at + 1, at + 1 + length);
            if (length >= Stamp.FULL_LENGTH) {
                ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).putInt(24, trialId);
            }
            taker.take(new UnsafeBuffer(message), length);
            at += 1 + length;
        }
    }

    @FuzzTest(maxDuration = "1m")
    void shouldSurviveWhateverASubscriberHears(final byte[] bytes) {
        final VirtualClock clock = new VirtualClock(1);
        final NullTransport transport = new NullTransport(clock);
        final TestContext context = new TestContext(1, 1, clock);
        try (Exchange publishing = exchange(transport, ExchangeSide.BIND);
                Exchange receiving = exchange(transport, ExchangeSide.CONNECT)) {
            final SubscriberSession session =
                    new SubscriberSession(List.of(receiving), topics(), null, 1, context);
            final StepReceiver receiver = new StepReceiver(context, session, true, true);
            receiver.begin();
            each(
                    bytes,
                    0,
                    (message, length) -> {
                        clock.advance(1);
                        receiver.onMessage(message, 0, length, clock.nanoTime());
                        publishing.subscription().poll((buffer, offset, size) -> {}, 16);
                    });
            receiver.finish()
                    .forEach(step ->
                            assertThat(step.counts().values())
                                    .allSatisfy(count -> assertThat(count).isNotNegative()));
        }
    }

    @FuzzTest(maxDuration = "1m")
    void shouldSurviveWhateverAPublisherHears(final byte[] bytes) {
        final VirtualClock clock = new VirtualClock(1);
        final NullTransport transport = new NullTransport(clock);
        final TestContext context = new TestContext(1, 1, clock);
        try (Exchange publishing = exchange(transport, ExchangeSide.BIND);
                Exchange receiving = exchange(transport, ExchangeSide.CONNECT)) {
            final PublisherSession session =
                    new PublisherSession(List.of(publishing), topics(), TOPICS, context);
            each(
                    bytes,
                    session.trialId(),
                    (message, length) -> {
                        if (Stamp.isStamped(message, 0, length)) {
                            session.onControl(message, 0, length, Stamp.flags(message, 0));
                        }
                        receiving.subscription().poll((buffer, offset, size) -> {}, 16);
                    });
            assertThat(context.lines()).hasSizeLessThanOrEqualTo(TOPICS);
        }
    }

    private static List<Topic> topics() {
        return Topic.of(IntStream.rangeClosed(1, TOPICS).mapToObj(i -> "topic" + i).toList());
    }

    private static Exchange exchange(final NullTransport transport, final ExchangeSide side) {
        return transport.exchange(ChannelUri.parse("null:fuzz"), Topic.DEFAULT, side, 1);
    }
}
