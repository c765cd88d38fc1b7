package io.tickmark.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A writer that does not wait and a reader that is often too slow, each on its own thread. */
class ShmOverrunTest {
    private static final int MESSAGES = 300_000;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);

    private final ShmTransport transport = new ShmTransport();
    private int received;
    private int damaged;
    private int outOfOrder;
    private int last = -1;

    @Test
    void shouldNeverHandOverAMessageThatIsBeingOverwritten() throws Exception {
        try (Publication publication =
                        transport.publication(
                                ChannelUri.parse("shm:?lossy&capacityBytes=65536"), Topic.DEFAULT);
                Subscription subscription =
                        transport.subscription(publication.channel(), Topic.DEFAULT)) {
            final AtomicInteger written = new AtomicInteger();
            final Thread writer = new Thread(() -> write(publication, written));
            writer.start();
            final long startNs = SystemNanoClock.INSTANCE.nanoTime();
            while (received + subscription.lost() < MESSAGES
                    && SystemNanoClock.INSTANCE.nanoTime() - startNs < PATIENCE_NS) {
                subscription.poll(this::check, 50);
            }
            writer.join();

            assertThat(written).hasValue(MESSAGES);
            assertThat(received + subscription.lost()).isEqualTo(MESSAGES);
            assertThat(damaged).isZero();
            assertThat(outOfOrder).isZero();
        }
    }

    private static void write(final Publication publication, final AtomicInteger written) {
        final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(2048));
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (written.get() < MESSAGES
                && SystemNanoClock.INSTANCE.nanoTime() - startNs < PATIENCE_NS) {
            final int length = 8 + (written.get() * 31 & 0x3fc);
            for (int i = 0; i < length; i += 4) {
                message.putInt(i, written.get());
            }
            if (publication.offer(message, 0, length) >= 0) {
                written.incrementAndGet();
            }
        }
    }

    private void check(final org.agrona.DirectBuffer buffer, final int offset, final int length) {
        final int number = buffer.getInt(offset);
        for (int i = 0; i < length; i += 4) {
            damaged += buffer.getInt(offset + i) == number ? 0 : 1;
        }
        damaged += length == 8 + (number * 31 & 0x3fc) ? 0 : 1;
        outOfOrder += number > last ? 0 : 1;
        last = number;
        received++;
    }
}
