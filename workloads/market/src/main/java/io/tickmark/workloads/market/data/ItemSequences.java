package io.tickmark.workloads.market.data;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;

/**
 * Checks the numbers of messages item by item. Single-threaded; allocates nothing for a message.
 * Streams are in order, so a number other than the next one means lost messages or a repeated one.
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
     * Messages whose number was repeated or out of order.
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

    /**
     * Checks the numbers of messages stream by stream, where streams open and close.
     * Single-threaded; allocates only for new streams.
     */
    public static final class StreamSequences {
        private static final long NONE = -1;

        private final Long2LongHashMap places = new Long2LongHashMap(NONE);
        private final IntArrayList freePlaces = new IntArrayList();
        private final ItemSequences sequences = new ItemSequences(0);

        /** No message yet. */
        public StreamSequences() {}

        /**
         * Takes a numbered message.
         *
         * @param stream it came on
         * @param sequence its number, from 1
         */
        public void onMessage(final long stream, final long sequence) {
            long place = places.get(stream);
            if (place == NONE) {
                place = freePlaces.isEmpty() ? places.size() : freePlaces.popInt();
                places.put(stream, place);
                sequences.reserve((int) place + 1);
            }
            sequences.onMessage((int) place, sequence);
        }

        /**
         * Removes a closed stream: its numbers may restart.
         *
         * @param stream any
         */
        public void forget(final long stream) {
            final long place = places.remove(stream);
            if (place != NONE) {
                sequences.forget((int) place);
                freePlaces.pushInt((int) place);
            }
        }

        /**
         * How many streams it has kept the numbers of at the same time, at most.
         *
         * @return the count
         */
        int most() {
            return places.size() + freePlaces.size();
        }

        /**
         * Messages missing between the first and the last received of a stream, all streams
         * together.
         *
         * @return the count
         */
        public long lost() {
            return sequences.lost();
        }
    }
}
