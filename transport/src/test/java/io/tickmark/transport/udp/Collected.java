package io.tickmark.transport.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Waiting;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Messages as text, in the order of arrival. */
final class Collected implements MessageHandler {
    private static final long TURN_NS = 10_000_000;

    private final List<String> messages = new ArrayList<>();

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        assertThat(buffer.byteBuffer()).isNotNull();
        messages.add(buffer.getStringWithoutLengthAscii(offset, length));
    }

    List<String> messages() {
        return messages;
    }

    /** Polls until that many have arrived. */
    Collected await(final Subscription subscription, final int count) {
        Waiting.until(() -> {
            subscription.poll(this, count - messages.size());
            if (messages.size() < count) {
                subscription.await(TURN_NS);
            }
            return messages.size() >= count;
        });
        return this;
    }

    /** Says hello, as subscribers do. */
    static void greet(final Exchange peer) {
        final UnsafeBuffer hello = new UnsafeBuffer(new byte[Stamp.FULL_LENGTH]);
        Stamp.write(hello, 0, 0, 0, Stamp.HELLO | Stamp.REPLY, 0, 1);
        peer.publication().offer(hello, 0, Stamp.FULL_LENGTH);
        peer.publication().flush();
    }

    static long offer(final Publication publication, final String message) {
        final UnsafeBuffer buffer =
                new UnsafeBuffer(message.getBytes(StandardCharsets.US_ASCII)); // on the heap
        return publication.offer(buffer, 0, buffer.capacity());
    }
}
