package io.tickmark.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class UdpBatchTest extends UdpFixture {
    private static final int MORE_THAN_ANY_KERNEL_TAKES = 1000;

    private final Collected collected = new Collected();

    @Test
    void shouldHoldMessagesBackUntilTheBatchIsFull() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=4");
        final Publication publication = publication(subscription);

        offerAll(publication, "a1", "a2", "a3");
        assertThat(publication.facts()).containsEntry("sendCalls", 0L);
        offerAll(publication, "a4");

        assertThat(publication.facts()).containsEntry("sendCalls", 1L);
        assertThat(collected.await(subscription, 4).messages())
                .containsExactly("a1", "a2", "a3", "a4");
    }

    @Test
    void shouldSendAnUnfinishedBatchWhenFlushed() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=4");
        final Publication publication = publication(subscription);
        offerAll(publication, "a1", "a2", "a3");

        assertThat(publication.flush()).isEqualTo(3);
        assertThat(publication.flush()).isZero();

        assertThat(collected.await(subscription, 3).messages()).containsExactly("a1", "a2", "a3");
    }

    @Test
    void shouldSendAnUnfinishedBatchBeforeClosing() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=4");
        final Publication publication = publication(subscription);
        offerAll(publication, "a1", "a2");

        publication.close();

        assertThat(collected.await(subscription, 2).messages()).containsExactly("a1", "a2");
    }

    @Test
    void shouldKeepTheOrderOfMixedLengths() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=8");
        final Publication publication = publication(subscription);
        final String[] messages = {"a", "b", "cc", "dd", "ee", "", "f", "ggg", "h", "i"};

        offerAll(publication, messages);
        publication.flush();

        assertThat(collected.await(subscription, messages.length).messages())
                .containsExactly(messages);
        assertThat(publication.facts()).containsEntry("accepted", 10L);
        assertThat(subscription.facts()).containsEntry("handedOver", 10L);
    }

    @Test
    void shouldSendAWholeBatchFromWhereItLies() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=4");
        final Publication publication = publication(subscription);
        final UnsafeBuffer messages = new UnsafeBuffer(ByteBuffer.allocateDirect(20));
        messages.putStringWithoutLengthAscii(0, "m0m1m2m3m4m5m6m7m8m9");

        assertThat(publication.offerAll(messages, 0, 2, 1)).isOne();
        assertThat(publication.facts()).containsEntry("sendCalls", 0L);
        assertThat(publication.offerAll(messages, 2, 2, 9)).isEqualTo(4); // after the first one
        assertThat(publication.facts()).containsEntry("sendCalls", 2L);
        assertThat(publication.offerAll(messages, 10, 2, 5)).isEqualTo(4);
        assertThat(publication.facts()).containsEntry("sendCalls", 3L);
        assertThat(publication.offerAll(messages, 18, 2, 1)).isOne();
        assertThat(publication.batch()).isEqualTo(4);
        assertThat(publication.flush()).isOne();

        assertThat(collected.await(subscription, 10).messages())
                .containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
        assertThat(publication.facts()).containsEntry("accepted", 10L);
    }

    @Test
    void shouldReceiveABatchByOneCall() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=64");
        final Publication publication = publication(subscription);
        final List<String> messages =
                IntStream.range(1000, 1064).mapToObj(Integer::toString).toList();

        messages.forEach(message -> Collected.offer(publication, message));

        assertThat(collected.await(subscription, 64).messages()).isEqualTo(messages);
        assertThat(publication.facts()).containsEntry("batch", 64).containsEntry("sendCalls", 1L);
        assertThat(subscription.facts())
                .containsEntry("receiveBatches", true)
                .containsEntry("receiveCalls", 1L);
    }

    @Test
    void shouldReceiveABatchWithoutAskingForBatches() {
        final Subscription subscription = subscription("udp://127.0.0.1:0");
        final Publication publication = publication(subscription.channel() + "?batch=5");

        offerAll(publication, "a1", "a2", "a3", "a4", "a5");

        assertThat(collected.await(subscription, 5).messages())
                .containsExactly("a1", "a2", "a3", "a4", "a5");
        assertThat(subscription.facts()).containsEntry("receiveCalls", 5L);
    }

    @Test
    void shouldKeepTheRestOfABatchForTheNextPoll() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=5");
        offerAll(publication(subscription), "a1", "a2", "a3", "a4", "a5");
        collected.await(subscription, 2);
        assertThat(collected.messages()).containsExactly("a1", "a2");

        subscription.await(100_000_000);

        assertThat(subscription.poll(collected, 2)).isEqualTo(2);
        assertThat(subscription.poll(collected, 2)).isEqualTo(1);
        assertThat(collected.messages()).containsExactly("a1", "a2", "a3", "a4", "a5");
    }

    @Test
    void shouldLoseOnlyTheMessageOfAHandlerThatThrows() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=3");
        offerAll(publication(subscription), "a1", "a2", "a3");
        collected.await(subscription, 1);

        assertThatThrownBy(() -> subscription.poll(UdpBatchTest::fail, 1)).hasMessage("handler");

        assertThat(collected.await(subscription, 2).messages()).containsExactly("a1", "a3");
    }

    private static void fail(final DirectBuffer buffer, final int offset, final int length) {
        throw new IllegalArgumentException("handler");
    }

    @Test
    void shouldNotCutALongMessageAfterABatchOfShortOnes() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=2");
        final Publication publication = publication(subscription);
        final String longer = "b".repeat(1000);

        offerAll(publication, "a1", "a2", longer);
        publication.flush();
        offerAll(publication, "c");
        publication.flush();

        assertThat(collected.await(subscription, 4).messages())
                .containsExactly("a1", "a2", longer, "c");
    }

    @Test
    void shouldNotGatherMoreThanADatagramHolds() {
        final Subscription subscription = subscription("udp://127.0.0.1:0?batch=64");
        final Publication publication = publication(subscription);
        final String long1 = "1".repeat(30_000);
        final String long2 = "2".repeat(30_000);
        final String long3 = "3".repeat(30_000);

        offerAll(publication, long1, long2, long3);

        assertThat(publication.facts()).containsEntry("sendCalls", 1L);
        assertThat(publication.flush()).isEqualTo(1);
        assertThat(collected.await(subscription, 3).messages())
                .containsExactly(long1, long2, long3);
    }

    @Test
    void shouldSendOneByOneAndSaySoWhereTheKernelRefusesBatches() {
        final Subscription subscription = subscription("udp://127.0.0.1:0");
        final ChannelUri channel = subscription.channel();
        final UdpSocket socket = opened(UdpSocket.open(channel, false, SocketTuning.NONE));
        socket.connect(UdpEndpoint.of(channel), 0);
        final Publication publication =
                new UdpPublication(
                        socket,
                        Destinations.connected(),
                        channel,
                        MORE_THAN_ANY_KERNEL_TAKES,
                        UdpTransport.MAX_IPV4_PAYLOAD_BYTES);

        for (int i = 0; i < MORE_THAN_ANY_KERNEL_TAKES; i++) {
            Collected.offer(publication, "m" + (1000 + i));
        }

        collected.await(subscription, MORE_THAN_ANY_KERNEL_TAKES);
        assertThat(collected.messages()).startsWith("m1000", "m1001").endsWith("m1999");
        assertThat(publication.facts())
                .containsEntry("batch", 0)
                .containsEntry("sendErrors", 0L)
                .hasEntrySatisfying(
                        "batchRefused",
                        reason -> assertThat(reason.toString()).startsWith("from 5 bytes on: "));
    }

    private static void offerAll(final Publication publication, final String... messages) {
        for (final String message : messages) {
            assertThat(Collected.offer(publication, message)).isPositive();
        }
    }
}
