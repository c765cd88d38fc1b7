package io.tickmark.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.KernelStamps;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpKernelTimesTest {
    /** By which two readings of two clocks may be apart. */
    private static final long CLOCKS_NS = 100_000;

    private static final int PINGS = 300;
    private static final int MOST_TRIES = 20;
    private static final int MANY = 5_000;

    private final TcpTransport transport = new TcpTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);

    @ParameterizedTest
    @ValueSource(strings = {"tcp://127.0.0.1:0?kernelTimes=true", "tcp://[::1]:0?kernelTimes=true"})
    void shouldTellWhenEachMessageWentToTheDeviceAndCameToTheSocket(final String channel) {
        try (Exchange bound = open(channel, ExchangeSide.BIND);
                Exchange connected = open(bound.channel().toString(), ExchangeSide.CONNECT)) {
            assertThat(bound.subscription().kernelStamps()).isEqualTo(KernelStamps.KEPT);
            meet(bound, connected);
            awaitStamps(bound, connected);

            for (int i = 0; i < PINGS; i++) {
                final int length = i % message.capacity();
                final long beforeNs = System.nanoTime();
                final long ping = send(bound.publication(), length);
                final long pingArrivedNs = received(connected.subscription()).getFirst();
                final long echoedNs = System.nanoTime();
                send(connected.publication(), length);
                final long arrivedNs = received(bound.subscription()).getFirst();
                final long afterNs = System.nanoTime();
                bound.publication().doWork();

                assertThat(bound.publication().departedNs(ping))
                        .as("ping %d", i)
                        .isBetween(beforeNs - CLOCKS_NS, pingArrivedNs + CLOCKS_NS);
                assertThat(bound.publication().queuedNs(ping))
                        .as("ping %d, before it departed", i)
                        .isBetween(
                                beforeNs - CLOCKS_NS,
                                bound.publication().departedNs(ping) + CLOCKS_NS);
                assertThat(pingArrivedNs).as("ping %d", i).isLessThan(echoedNs + CLOCKS_NS);
                assertThat(arrivedNs)
                        .as("echo %d", i)
                        .isBetween(echoedNs - CLOCKS_NS, afterNs + CLOCKS_NS);
            }
        }
    }

    /** Reports that nobody takes fill the buffer of the socket, and the kernel drops the next. */
    @Test
    void shouldTellOfADepartureThatFollowsManyWithoutAnAnswer() {
        try (Exchange bound = open("tcp://127.0.0.1:0?kernelTimes=true", ExchangeSide.BIND);
                Exchange connected = open(bound.channel().toString(), ExchangeSide.CONNECT)) {
            meet(bound, connected);
            awaitStamps(bound, connected);
            long ping = 0;
            for (int i = 0; i < MANY; i++) {
                ping = send(bound.publication(), 64);
                received(connected.subscription());
            }
            bound.publication().doWork();

            assertThat(bound.publication().departedNs(ping)).isPositive();
        }
    }

    /** The kernel tells when the last of the bytes came that were read together. */
    @Test
    void shouldNotKnowWhenAMessageCameThatWasReadWithTheNext() throws InterruptedException {
        try (Exchange bound = open("tcp://127.0.0.1:0?kernelTimes=true", ExchangeSide.BIND);
                Exchange connected = open(bound.channel().toString(), ExchangeSide.CONNECT)) {
            meet(bound, connected);
            awaitStamps(bound, connected);
            int tries = 1;
            while (!areReadTogether(bound, connected)) {
                assertThat(tries++).as("without two that were there").isLessThan(MOST_TRIES);
            }
        }
    }

    /** False where they did not both wait there for a while: each may be read by itself. */
    private boolean areReadTogether(final Exchange bound, final Exchange connected)
            throws InterruptedException {
        final long beforeNs = System.nanoTime();
        send(bound.publication(), 64);
        send(bound.publication(), 64);
        Thread.sleep(50);
        final long readNs = System.nanoTime();

        final List<Long> arrivedNs = received(connected.subscription());

        final boolean isTogether = arrivedNs.size() == 2;
        if (isTogether) {
            assertThat(arrivedNs.getFirst()).isZero();
        } else {
            received(connected.subscription());
        }
        assertThat(arrivedNs.getLast())
                .isBetween(beforeNs - CLOCKS_NS, System.nanoTime() + CLOCKS_NS);
        return isTogether && arrivedNs.getLast() < readNs - 20_000_000;
    }

    @Test
    void shouldTellNothingWhereNobodyAskedForIt() {
        try (Exchange bound = open("tcp://127.0.0.1:0", ExchangeSide.BIND);
                Exchange connected = open(bound.channel().toString(), ExchangeSide.CONNECT)) {
            meet(bound, connected);
            final long position = send(bound.publication(), 64);

            assertThat(received(connected.subscription()).getFirst()).isZero();
            assertThat(bound.publication().departedNs(position)).isZero();
            assertThat(bound.subscription().kernelStamps()).isEqualTo(KernelStamps.NOT_ASKED);
        }
    }

    @Test
    void shouldRefuseMessagesThatAreWrittenTogether() {
        assertThatThrownBy(() ->
                        transport.traits(
                                ChannelUri.parse("tcp://:0?kernelTimes=true&batchBytes=1400")))
                .isInstanceOf(UserError.class)
                .hasMessageEndingWith(
                        "kernelTimes=true needs messages that are written one by one; leave out batchBytes.");
    }

    private Exchange open(final String channel, final ExchangeSide side) {
        return transport.exchange(ChannelUri.parse(channel), Topic.DEFAULT, side, 1);
    }

    private void meet(final Exchange bound, final Exchange connected) {
        Waiting.until(() -> {
            bound.subscription().poll((buffer, offset, length) -> {}, 1);
            connected.subscription().poll((buffer, offset, length) -> {}, 1);
            bound.publication().doWork();
            connected.publication().doWork();
            return bound.publication().subscriberCount() == 1
                    && connected.publication().subscriberCount() == 1;
        });
    }

    /**
     * Where no other socket of the machine wants stamps, the kernel begins a moment after it was
     * asked.
     */
    private void awaitStamps(final Exchange bound, final Exchange connected) {
        Waiting.until(() -> {
            send(bound.publication(), 64);
            return received(connected.subscription()).getFirst() > 0;
        });
    }

    private long send(final Publication publication, final int length) {
        final long position = publication.offer(message, 0, length);
        assertThat(position).isPositive();
        return position;
    }

    /** When the messages of the next poll that has any reached the socket. */
    private static List<Long> received(final Subscription subscription) {
        final List<Long> arrivedNs = new ArrayList<>();
        Waiting.until(() ->
                subscription.poll(
                                (buffer, offset, length) -> arrivedNs.add(subscription.arrivedNs()),
                                10)
                        > 0);
        return arrivedNs;
    }
}
