package io.tickmark.workloads.feed.client;

import org.agrona.concurrent.UnsafeBuffer;

/** Finds the frames in bytes that are cut anywhere. */
interface FrameCutter {
    /**
     * Hands over the frames that are whole.
     *
     * @param buffer that holds bytes from 0 on, a frame's first byte first
     * @param end of the bytes
     * @param nowNs when they were read
     * @return where the first frame begins that is not whole
     */
    int cut(UnsafeBuffer buffer, int end, long nowNs);
}
