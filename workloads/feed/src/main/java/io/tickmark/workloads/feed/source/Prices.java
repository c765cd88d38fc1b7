package io.tickmark.workloads.feed.source;

import org.agrona.MutableDirectBuffer;

/**
 * The prices that one feed thread writes into its messages, one after the other. Single-threaded;
 * allocates nothing.
 */
interface Prices {
    /** Writes the next message except for its times. */
    void next(MutableDirectBuffer buffer, int offset);
}
