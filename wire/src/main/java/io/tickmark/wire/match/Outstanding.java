package io.tickmark.wire.match;

import io.tickmark.wire.net.Hashing;

/**
 * Messages that went in, by a key of 64 bits, oldest first. Bounded: a message is forgotten after
 * so long, or when there are more; whoever listens is told what became of it. Single thread,
 * allocates nothing after construction.
 */
final class Outstanding {
    /** Told of a message that is forgotten. */
    interface Farewell {
        /**
         * What became of it.
         *
         * @param copies that were seen of it
         * @param firstNs first to last copy, or to nothing
         * @param lastLatencyNs from the message to its last copy
         * @param isCounted as it was said when its first copy came
         */
        void onForgotten(int copies, long lastLatencyNs, boolean isCounted);
    }

    private static final int NONE = -1;

    private final int mask;
    private final int indexMask;
    private final long windowNs;
    private final Farewell farewell;
    private final long[] keys;
    private final long[] timesNs;
    private final long[] lastNs;
    private final int[] copies;
    private final boolean[] counted;
    private final int[] index;
    private long oldest;
    private long newest;

    /** {@code capacity} is a power of two. */
    Outstanding(final int capacity, final long windowNs, final Farewell farewell) {
        mask = capacity - 1;
        indexMask = 2 * capacity - 1;
        this.windowNs = windowNs;
        this.farewell = farewell;
        keys = new long[capacity];
        timesNs = new long[capacity];
        lastNs = new long[capacity];
        copies = new int[capacity];
        counted = new boolean[capacity];
        index = new int[2 * capacity];
        java.util.Arrays.fill(index, NONE);
    }

    /** Adds a message; false when one with that key was there, which is forgotten for the new. */
    boolean add(final long key, final long timeNs) {
        while (newest - oldest > mask
                || newest > oldest && timeNs - timesNs[(int) oldest & mask] > windowNs) {
            forgetOldest();
        }
        final int known = indexOf(key);
        final int slot = (int) newest & mask;
        keys[slot] = key;
        timesNs[slot] = timeNs;
        lastNs[slot] = timeNs;
        copies[slot] = 0;
        counted[slot] = false;
        newest++;
        if (index[known] == NONE) {
            index[known] = slot;
            return true;
        }
        index[known] = slot; // the older one stays in the ring, out of reach
        return false;
    }

    /** The message with that key, or -1. */
    int find(final long key) {
        return index[indexOf(key)];
    }

    private int indexOf(final long key) {
        int at = (int) Hashing.spread(key) & indexMask;
        while (index[at] != NONE && keys[index[at]] != key) {
            at = at + 1 & indexMask;
        }
        return at;
    }

    /** A copy of a message came; how many there are now. */
    int copied(final int slot, final long timeNs) {
        lastNs[slot] = Math.max(lastNs[slot], timeNs);
        return ++copies[slot];
    }

    /** Its first copy counts, so the last one will. */
    void count(final int slot) {
        counted[slot] = true;
    }

    boolean isCounted(final int slot) {
        return counted[slot];
    }

    long timeNs(final int slot) {
        return timesNs[slot];
    }

    private void forgetOldest() {
        final int slot = (int) oldest & mask;
        final int at = indexOf(keys[slot]);
        if (index[at] == slot) {
            remove(at);
        }
        oldest++;
        farewell.onForgotten(copies[slot], lastNs[slot] - timesNs[slot], counted[slot]);
    }

    /** Closes the gap, so that no search ends before what it looks for. */
    private void remove(final int from) {
        int hole = from;
        int at = from;
        while (true) {
            at = at + 1 & indexMask;
            if (index[at] == NONE) {
                break;
            }
            final int home = (int) Hashing.spread(keys[index[at]]) & indexMask;
            if ((at - home & indexMask) >= (at - hole & indexMask)) {
                index[hole] = index[at];
                hole = at;
            }
        }
        index[hole] = NONE;
    }

    /** Forgets all; at the end. */
    void finish() {
        while (newest > oldest) {
            forgetOldest();
        }
    }
}
