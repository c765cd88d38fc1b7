package io.tickmark.kernel.record;

/**
 * Distinguishes received, lost, duplicated and reordered messages of one source in one step.
 * Single-threaded; allocates nothing after construction. Exact while a message is late by fewer
 * than {@link #WINDOW} sequences; a message that is later than that counts as a duplicate.
 */
public final class SequenceTracker {
    /** How far back late messages are distinguished from duplicates. */
    public static final int WINDOW = 1 << 16;

    private final long[] seen = new long[WINDOW >> 6];
    private long next;
    private long first = -1;
    private long received;
    private long duplicated;
    private long reordered;

    /** A tracker without any message. */
    public SequenceTracker() {}

    /** Resets everything for the next step. */
    public void reset() {
        java.util.Arrays.fill(seen, 0);
        next = 0;
        first = -1;
        received = 0;
        duplicated = 0;
        reordered = 0;
    }

    /**
     * Records a message.
     *
     * @param sequence 32 bits of the stamp, unsigned; extended to 64 bits by the distance to the
     *     newest one
     * @return true if it is new, false for a duplicate
     */
    public boolean onMessage(final int sequence) {
        if (sequence == (int) next && received > 0) {
            set(next++);
            received++;
            return true;
        }
        final long extended = next + (sequence - (int) next);
        if (extended >= next) {
            advance(extended);
            return true;
        }
        return late(extended);
    }

    private void advance(final long extended) {
        if (extended - next >= WINDOW) {
            java.util.Arrays.fill(seen, 0);
        } else {
            for (long missed = next; missed < extended; missed++) {
                clear(missed);
            }
        }
        set(extended);
        if (first < 0) {
            first = extended;
        }
        next = extended + 1;
        received++;
    }

    private boolean late(final long extended) {
        if (extended < 0 || next - extended > WINDOW || isSet(extended)) {
            duplicated++;
            return false;
        }
        set(extended);
        first = Math.min(first, extended);
        reordered++;
        received++;
        return true;
    }

    private void set(final long sequence) {
        seen[word(sequence)] |= 1L << sequence;
    }

    private void clear(final long sequence) {
        seen[word(sequence)] &= ~(1L << sequence);
    }

    private boolean isSet(final long sequence) {
        return (seen[word(sequence)] & 1L << sequence) != 0;
    }

    private static int word(final long sequence) {
        return (int) (sequence & WINDOW - 1) >> 6;
    }

    /**
     * Messages received, without duplicates.
     *
     * @return the count
     */
    public long received() {
        return received;
    }

    /**
     * Messages received again.
     *
     * @return the count
     */
    public long duplicated() {
        return duplicated;
    }

    /**
     * Messages received after one with a higher sequence.
     *
     * @return the count
     */
    public long reordered() {
        return reordered;
    }

    /**
     * Messages missing before the first one received.
     *
     * @return the count; 0 while nothing was received
     */
    public long lostHead() {
        return Math.max(0, first);
    }

    /**
     * The least number of messages that the source has sent, according to their sequences.
     *
     * @return one more than the highest sequence received; 0 while nothing was received
     */
    public long sentAtLeast() {
        return next;
    }

    /**
     * All missing messages.
     *
     * @param sent how many the source sent
     * @return the count
     */
    public long lost(final long sent) {
        return sent - received;
    }

    /**
     * Messages missing after the last one received.
     *
     * @param sent how many the source sent
     * @return the count
     */
    public long lostTail(final long sent) {
        return sent - next;
    }
}
