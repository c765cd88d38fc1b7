package io.tickmark.workloads.feed.conflate;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages in lists, each first in, first out, over one store that grows up to a bound and is used
 * again. Allocates only while it grows.
 */
final class Records {
    private static final int FIRST_CAPACITY = 64;
    private static final int NONE = -1;

    private final int messageBytes;
    private final int maxRecords;
    private final int[] heads;
    private final int[] tails;
    private final KeptBytes.Share kept;
    private UnsafeBuffer store = new UnsafeBuffer(new byte[0]);
    private int[] next = new int[0];
    private int free = NONE;
    private int size;

    Records(final int lists, final QueueContext session) {
        messageBytes = session.messageBytes();
        kept = session.kept();
        maxRecords =
                (int) Math.min(Integer.MAX_VALUE / messageBytes, session.maxBytes() / messageBytes);
        heads = new int[lists];
        tails = new int[lists];
        Arrays.fill(heads, NONE);
    }

    /** False where there is no room within the bound. */
    boolean add(final int list, final DirectBuffer buffer, final int offset) {
        if (free == NONE && !grow()) {
            return false;
        }
        final int slot = free;
        free = next[slot];
        next[slot] = NONE;
        store.putBytes(slot * messageBytes, buffer, offset, messageBytes);
        if (heads[list] == NONE) {
            heads[list] = slot;
        } else {
            next[tails[list]] = slot;
        }
        tails[list] = slot;
        size++;
        return true;
    }

    private boolean grow() {
        final int from = next.length;
        final int to = Math.min(maxRecords, Math.max(FIRST_CAPACITY, from * 2));
        if (to == from || !kept.take((to - from) * (long) (messageBytes + Integer.BYTES))) {
            return false;
        }
        store = new UnsafeBuffer(Arrays.copyOf(store.byteArray(), to * messageBytes));
        next = Arrays.copyOf(next, to);
        for (int slot = from; slot < to; slot++) {
            next[slot] = slot + 1 < to ? slot + 1 : NONE;
        }
        free = from;
        return true;
    }

    boolean isEmpty(final int list) {
        return heads[list] == NONE;
    }

    /** Where the first message of a list lies in {@link #buffer}. */
    int firstOffset(final int list) {
        return heads[list] * messageBytes;
    }

    DirectBuffer buffer() {
        return store;
    }

    void removeFirst(final int list) {
        final int slot = heads[list];
        heads[list] = next[slot];
        next[slot] = free;
        free = slot;
        size--;
    }

    int size() {
        return size;
    }
}
