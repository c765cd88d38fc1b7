package io.tickmark.workloads.feed.client;

/** A receiver that a selector wakes when bytes have arrived. */
interface Readable {
    /**
     * Reads the available bytes.
     *
     * @param shared to read into, used by all of the thread
     */
    void onReadable(ReadBuffer shared);
}
