package io.tickmark.workloads.feed.source;

import org.agrona.MutableDirectBuffer;

/**
 * What one feed thread writes into its messages, one after the other. One thread; allocates
 * nothing.
 */
interface Prices {
    /** Writes the next message, its times apart. */
    void next(MutableDirectBuffer buffer, int offset);
}
