package io.tickmark.engines.dds;

import static io.tickmark.transport.Waiting.until;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** Our side of a test with a foreign DDS program. */
final class OurEnd {
    /** From the 102nd on, ports of a domain are in the ephemeral range (RTPS 2.2, 9.6.1.1). */
    private static final int DOMAINS = 99;

    private static final AtomicInteger NEXT_DOMAIN =
            new AtomicInteger((int) (ProcessHandle.current().pid() % DOMAINS));

    private OurEnd() {}

    /** A domain that no other test of this process uses at the time. */
    static int domain() {
        return 1 + NEXT_DOMAIN.getAndIncrement() % DOMAINS;
    }

    static Exchange bind(final String channel) {
        return new DdsTransport()
                .exchange(ChannelUri.parse(channel), Topic.DEFAULT, ExchangeSide.BIND, 0);
    }

    /**
     * Sends numbers until a given number has returned, each once or, where that is allowed, not at
     * all.
     */
    static void sendUntilEchoed(final Exchange exchange, final int count, final boolean all) {
        final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
        final BitSet echoed = new BitSet();
        final int[] sent = {0};
        until(
                "echoes of " + count,
                () -> {
                    message.putInt(60, sent[0]);
                    if ((!all || sent[0] < count)
                            && exchange.publication().offer(message, 0, 64) >= 0) {
                        sent[0]++;
                    }
                    LockSupport.parkNanos(200_000);
                    exchange.subscription()
                            .poll(
                                    (buffer, offset, length) -> {
                                        if (length == 64) {
                                            echoed.set(buffer.getInt(offset + 60));
                                        }
                                    },
                                    100);
                    return echoed.cardinality() >= count;
                });
    }

    /** Waits for a number of messages of 64 bytes. */
    static void receive(final Subscription subscription, final int count) {
        final int[] received = {0};
        until(
                count + " messages",
                () -> {
                    subscription.poll(
                            (buffer, offset, length) -> received[0] += length == 64 ? 1 : 0, 100);
                    return received[0] >= count;
                });
    }
}
