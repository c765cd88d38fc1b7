package io.tickmark.workloads.market.data;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;

/**
 * Checks the numbers of messages stream by stream, where streams open and close. Single-threaded;
 * allocates only for new streams.
 */
public final class StreamSequences {
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
     * Messages missing between the first and the last received of a stream, all streams together.
     *
     * @return the count
     */
    public long lost() {
        return sequences.lost();
    }
}
