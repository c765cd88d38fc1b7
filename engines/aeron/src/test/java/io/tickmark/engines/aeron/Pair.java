package io.tickmark.engines.aeron;

import static io.tickmark.transport.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** One binding side and its connecting sides, driven from one thread; every wait has a deadline. */
final class Pair implements AutoCloseable {
    private static final AeronTransport TRANSPORT = new AeronTransport();
    private static final MessageHandler IGNORED = (buffer, offset, length) -> {};

    private final Exchange bound;
    private final List<Exchange> connected = new ArrayList<>();

    Pair(final String channel, final int connectors) {
        bound = bind(channel);
        for (int cookie = 1; cookie <= connectors; cookie++) {
            connected.add(connect(bound.channel(), cookie));
        }
    }

    static Exchange bind(final String channel) {
        return TRANSPORT.exchange(ChannelUri.parse(channel), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    static Exchange connect(final ChannelUri channel, final int cookie) {
        return TRANSPORT.exchange(channel, Topic.DEFAULT, ExchangeSide.CONNECT, cookie);
    }

    Exchange bound() {
        return bound;
    }

    Exchange connected(final int cookie) {
        return connected.get(cookie - 1);
    }

    /** Sends numbered messages to every connector and waits until each has them all in order. */
    void sendAndReceiveAll(final int count, final int length) {
        // A side that is not connected yet would miss the beginning.
        until(
                "all are connected",
                () -> {
                    bound.publication().doWork();
                    bound.subscription().poll(IGNORED, 1);
                    connected.forEach(side -> side.subscription().poll(IGNORED, 1));
                    return connected.stream().allMatch(side -> side.subscription().isConnected());
                });
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        final int[] received = new int[connected.size()];
        final int[] sent = {0};
        until(
                "all have arrived",
                () -> {
                    buffer.putInt(length - Integer.BYTES, sent[0]);
                    if (sent[0] < count && bound.publication().offer(buffer, 0, length) > 0) {
                        sent[0]++;
                        bound.publication().flush();
                    }
                    bound.publication().doWork();
                    for (int i = 0; i < received.length; i++) {
                        final int reader = i;
                        connected
                                .get(i)
                                .subscription()
                                .poll(
                                        (message, offset, size) -> {
                                            assertThat(size).isEqualTo(length);
                                            assertThat(
                                                            message.getInt(
                                                                    offset + size - Integer.BYTES))
                                                    .isEqualTo(received[reader]++);
                                        },
                                        10);
                    }
                    return java.util.Arrays.stream(received).allMatch(had -> had == count);
                });
    }

    /** Sends one message back from each connector and waits until it is received. */
    void reply() {
        for (final Exchange side : connected) {
            final int[] heard = {0};
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16]);
            until(
                    "the reply is heard",
                    () -> {
                        side.publication().offer(buffer, 0, 16);
                        side.publication().flush();
                        side.subscription().poll(IGNORED, 1);
                        bound.subscription().poll((message, offset, size) -> heard[0]++, 10);
                        return heard[0] > 0;
                    });
        }
    }

    /** Lets time pass without a call to any driver. */
    static void pass(final Duration time) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (SystemNanoClock.INSTANCE.nanoTime() - startNs < time.toNanos()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    static boolean isOpen(final Publication publication) {
        return publication.offer(new UnsafeBuffer(new byte[16]), 0, 16) != Publication.CLOSED;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(connected);
        bound.close();
    }
}
