package io.tickmark.workloads.feed.client;

import org.agrona.concurrent.UnsafeBuffer;

/** Takes the payload of a frame. */
interface FrameSink {
    /**
     * A whole frame.
     *
     * @param session that it belongs to
     * @param buffer that holds it, valid during the call only
     * @param offset of the payload
     * @param length of the payload
     * @param nowNs when it was read
     */
    void onFrame(ClientSession session, UnsafeBuffer buffer, int offset, int length, long nowNs);
}
