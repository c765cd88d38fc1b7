package io.tickmark.workloads.feed.client;

import org.agrona.concurrent.UnsafeBuffer;

/** Finds frames in bytes that arrive in arbitrary pieces. */
interface FrameCutter {
    /**
     * Passes on the complete frames.
     *
     * @param buffer whose bytes begin at 0 with the start of a frame
     * @param end of the bytes
     * @param nowNs when they were read
     * @return start of the first incomplete frame
     */
    int cut(UnsafeBuffer buffer, int end, long nowNs);
}
