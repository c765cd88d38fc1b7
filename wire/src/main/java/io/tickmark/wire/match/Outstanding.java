package io.tickmark.wire.match;

import io.tickmark.wire.net.Hashing;

/**
 * Messages that went in, by a key of 64 bits, oldest first. Bounded: a message is dropped after a
 * time, or when there are more; the listener is notified of its fate. Starts small and doubles up
 * to its capacity. Single-threaded; allocates nothing once it has grown.
 */
final class Outstanding {
    /** Called for a message that is dropped. */
    interface Forgotten {
        /**
         * What became of it.
         *
         * @param copies that were seen of it
         * @param lastLatencyNs from the message to its last copy
         * @param isCounted as it was said when its first copy came
         */
        void onForgotten(int copies, long lastLatencyNs, boolean isCounted);
    }

    private static final int NONE = -1;
    private static final int FIRST_CAPACITY = 1 << 10;

    private final int capacity;
    private final long windowNs;
    private final Forgotten forgotten;
    private int mask;
    private int indexMask;
    private long[] keys;
    private long[] timesNs;
    private long[] lastNs;
    private long[] origins;
    private int[] copies;
    private boolean[] counted;
    private int[] index;
    private long oldest;
    private long newest;

    /** {@code capacity} is a power of two. */
    Outstanding(final int capacity, final long windowNs, final Forgotten forgotten) {
        this.capacity = capacity;
        this.windowNs = windowNs;
        this.forgotten = forgotten;
        allocate(Math.min(capacity, FIRST_CAPACITY));
    }

    private void allocate(final int size) {
        mask = size - 1;
        indexMask = 2 * size - 1;
        keys = new long[size];
        timesNs = new long[size];
        lastNs = new long[size];
        origins = new long[size];
        copies = new int[size];
        counted = new boolean[size];
        index = new int[2 * size];
        java.util.Arrays.fill(index, NONE);
    }

    /** Twice the room; the messages go over in order, so that of one key the newest is found. */
    private void grow() {
        final int oldMask = mask;
        final long[] oldKeys = keys;
        final long[] oldTimesNs = timesNs;
        final long[] oldLastNs = lastNs;
        final long[] oldOrigins = origins;
        final int[] oldCopies = copies;
        final boolean[] oldCounted = counted;
        allocate(2 * (mask + 1));
        for (long each = oldest; each < newest; each++) {
            final int from = (int) each & oldMask;
            final int to = (int) each & mask;
            keys[to] = oldKeys[from];
            timesNs[to] = oldTimesNs[from];
            lastNs[to] = oldLastNs[from];
            origins[to] = oldOrigins[from];
            copies[to] = oldCopies[from];
            counted[to] = oldCounted[from];
            index[indexOf(keys[to])] = to;
        }
    }

    /** Adds a message; false when one with that key was there, which is forgotten for the new. */
    boolean add(final long key, final long timeNs) {
        while (newest > oldest && timeNs - timesNs[(int) oldest & mask] > windowNs) {
            forgetOldest();
        }
        if (newest - oldest > mask) {
            if (mask + 1 < capacity) {
                grow();
            } else {
                forgetOldest();
            }
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

    /** The message with that key, or -1; holds until the next one is added. */
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

    /** Says where a message comes from. */
    void origin(final int slot, final long origin) {
        origins[slot] = origin;
    }

    long origin(final int slot) {
        return origins[slot];
    }

    private void forgetOldest() {
        final int slot = (int) oldest & mask;
        final int at = indexOf(keys[slot]);
        if (index[at] == slot) {
            remove(at);
        }
        oldest++;
        forgotten.onForgotten(copies[slot], lastNs[slot] - timesNs[slot], counted[slot]);
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
