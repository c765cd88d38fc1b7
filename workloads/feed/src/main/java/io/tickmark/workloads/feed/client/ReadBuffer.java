package io.tickmark.workloads.feed.client;

import java.nio.ByteBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** The read buffer that the clients of a thread use in turn. */
final class ReadBuffer {
    private static final int CAPACITY = 512 * 1024;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(CAPACITY);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final NanoClock clock;

    ReadBuffer(final NanoClock clock) {
        this.clock = clock;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    NanoClock clock() {
        return clock;
    }
}
