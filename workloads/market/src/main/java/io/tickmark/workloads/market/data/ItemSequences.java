package io.tickmark.workloads.market.data;

/**
 * Checks the numbers of messages item by item. Single-threaded; allocates nothing for a message.
 * Streams are in order: a number that is not the next one means messages lost, or one that was
 * there before.
 */
public final class ItemSequences {
    private static final long NONE = -1;

    private long[] last;
    private long received;
    private long lost;
    private long repeated;

    /**
     * No message yet.
     *
     * @param items how many there are
     */
    public ItemSequences(final int items) {
        last = new long[items];
        java.util.Arrays.fill(last, NONE);
    }

    /** Makes room for at least this many items. */
    void reserve(final int items) {
        if (items > last.length) {
            final int before = last.length;
            last = java.util.Arrays.copyOf(last, Math.max(items, 2 * before));
            java.util.Arrays.fill(last, before, last.length, NONE);
        }
    }

    /**
     * Takes an image, from which the numbers go on.
     *
     * @param item index
     * @param sequence of the last update in it, 0 where there was none
     */
    public void onImage(final int item, final long sequence) {
        if (last[item] != NONE && sequence > last[item]) {
            lost += sequence - last[item]; // an image on an open stream replaces what it skips
        }
        last[item] = sequence;
    }

    /**
     * Takes a numbered message.
     *
     * @param item index
     * @param sequence its number, from 1
     * @return true if it is new
     */
    public boolean onMessage(final int item, final long sequence) {
        final long previous = last[item];
        if (previous == NONE) {
            last[item] = sequence; // joined in the middle: earlier messages were not for us
            received++;
            return true;
        }
        if (sequence <= previous) {
            repeated++;
            return false;
        }
        lost += sequence - previous - 1;
        last[item] = sequence;
        received++;
        return true;
    }

    /**
     * Removes an item, whose numbers may restart.
     *
     * @param item index
     */
    public void forget(final int item) {
        last[item] = NONE;
    }

    /**
     * New messages.
     *
     * @return the count
     */
    public long received() {
        return received;
    }

    /**
     * Messages missing between the first and the last received.
     *
     * @return the count
     */
    public long lost() {
        return lost;
    }

    /**
     * Messages with a number that was there before, or out of order.
     *
     * @return the count
     */
    public long repeated() {
        return repeated;
    }

    /**
     * Number of the last message of an item.
     *
     * @param item index
     * @return 0 where there was none
     */
    public long last(final int item) {
        return Math.max(0, last[item]);
    }
}
