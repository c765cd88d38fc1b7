package io.tickmark.transport;

import io.tickmark.kernel.stamp.Stamp;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * What one reader received of the messages that {@link Outbox} writes: counts, order, integrity.
 * Single-threaded; allocates only for hellos.
 */
final class Inbox implements MessageHandler {
    private final Set<Integer> greeted = new HashSet<>();
    private long received;
    private long missing;
    private long outOfOrder;
    private long damaged;
    private int lastSequence = -1;
    private int lastLength = -1;
    private int lastSource = -1;

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        if (!Stamp.isStamped(buffer, offset, length)) {
            damaged++;
            return;
        }
        if ((Stamp.flags(buffer, offset) & Stamp.HELLO) != 0) {
            greeted.add(Stamp.source(buffer, offset));
            return;
        }
        final int sequence = Stamp.sequence(buffer, offset);
        if (sequence <= lastSequence) {
            outOfOrder++;
        } else if (received > 0) {
            missing += sequence - lastSequence - 1;
        }
        if (!Outbox.isIntact(buffer, offset, length)) {
            damaged++;
        }
        received++;
        lastSequence = Math.max(lastSequence, sequence);
        lastLength = length;
        lastSource = Stamp.source(buffer, offset);
    }

    /** Messages received, hellos apart. */
    long received() {
        return received;
    }

    /** Messages missing between the first and the last one received. */
    long missing() {
        return missing;
    }

    /** Messages received after one with a higher or the same sequence. */
    long outOfOrder() {
        return outOfOrder;
    }

    /** Messages whose bytes are not those sent. */
    long damaged() {
        return damaged;
    }

    /** Highest sequence received, -1 before the first message. */
    int lastSequence() {
        return lastSequence;
    }

    /** Length of the newest message. */
    int lastLength() {
        return lastLength;
    }

    /** Source of the newest message. */
    int lastSource() {
        return lastSource;
    }

    /** Whether a hello of this cookie arrived. */
    boolean heard(final int cookie) {
        return greeted.contains(cookie);
    }

    /** Forgets the received hellos. */
    void forget() {
        greeted.clear();
    }
}
