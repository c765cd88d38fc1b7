package io.tickmark.workloads.feed.session;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where an owner thread writes the frames of one session before they go out; shared by its
 * sessions.
 */
final class Scratch {
    /** A write of this size costs the kernel little more than a small one. */
    static final int CAPACITY = 256 * 1024;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(CAPACITY);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final FrameHead head;

    Scratch(final long epochNs) {
        head = new FrameHead(epochNs);
    }

    ByteBuffer bytes() {
        return bytes;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    FrameHead head() {
        return head;
    }
}
