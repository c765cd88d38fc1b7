package io.tickmark.workloads.feed.session;

import io.tickmark.workloads.feed.conflate.KeptBytes;
import io.tickmark.workloads.feed.conflate.OutboundQueue;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages kept until they are acknowledged, by number: a ring within a bound. One thread;
 * allocates only while it grows.
 */
final class Store implements OutboundQueue.Receiver {
    private static final int FIRST_CAPACITY = 256;

    private final int messageBytes;
    private final int maxMessages;
    private final KeptBytes.Share kept;
    private UnsafeBuffer ring;
    private int capacity;
    private long first = 1;
    private long last;
    private boolean wasFull;

    Store(final int messageBytes, final long maxBytes, final KeptBytes.Share kept) {
        this.messageBytes = messageBytes;
        this.kept = kept;
        maxMessages =
                (int)
                        Math.min(
                                Integer.MAX_VALUE / messageBytes,
                                Math.max(1, maxBytes / messageBytes));
        capacity = Math.min(FIRST_CAPACITY, maxMessages);
        ring = new UnsafeBuffer(new byte[capacity * messageBytes]);
    }

    /** Keeps a message under the next number; false where the store is full. */
    @Override
    public boolean take(final DirectBuffer buffer, final int offset) {
        if (size() == capacity && !grow()) {
            wasFull = true;
            return false;
        }
        last++;
        ring.putBytes(offset(last), buffer, offset, messageBytes);
        return true;
    }

    private boolean grow() {
        if (capacity == maxMessages) {
            return false;
        }
        final int larger = (int) Math.min(maxMessages, 2L * capacity);
        if (!kept.take((larger - capacity) * (long) messageBytes)) {
            return false;
        }
        final UnsafeBuffer to = new UnsafeBuffer(new byte[larger * messageBytes]);
        for (long ordinal = first; ordinal <= last; ordinal++) {
            to.putBytes(
                    (int) (ordinal % larger) * messageBytes, ring, offset(ordinal), messageBytes);
        }
        ring = to;
        capacity = larger;
        return true;
    }

    /** Frees all up to this number. */
    void acknowledged(final long ordinal) {
        first = Math.max(first, Math.min(ordinal, last) + 1);
    }

    DirectBuffer buffer() {
        return ring;
    }

    int offset(final long ordinal) {
        return (int) (ordinal % capacity) * messageBytes;
    }

    long first() {
        return first;
    }

    long last() {
        return last;
    }

    /** Whether there was no room for a message. */
    boolean wasFull() {
        return wasFull;
    }

    int size() {
        return (int) (last - first + 1);
    }
}
