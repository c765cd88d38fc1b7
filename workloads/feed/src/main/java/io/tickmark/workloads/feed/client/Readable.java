package io.tickmark.workloads.feed.client;

/** What a selector wakes when bytes have come. */
interface Readable {
    /**
     * Reads what has come.
     *
     * @param shared to read into, used by all of the thread
     */
    void onReadable(ReadBuffer shared);
}
