package io.tickmark.workloads.feed.source;

import org.agrona.MutableDirectBuffer;

/** Takes the messages of one feed thread. Never blocks; allocates nothing. */
public interface TickSink {
    /** Result of {@link #claim} where there is no room. */
    int NO_ROOM = -1;

    /**
     * Room for the next message.
     *
     * @return a claim, or {@link #NO_ROOM}
     */
    int claim();

    /**
     * Where the message of a claim is to be written.
     *
     * @return the buffer; the message begins at the claim
     */
    MutableDirectBuffer buffer();

    /**
     * The message is complete.
     *
     * @param claim as given
     */
    void commit(int claim);
}
