package io.tickmark.workloads.fix.link;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The buffers that all connections of a thread share, so that they stay in the cache. */
public final class IoBuffers {
    private final ByteBuffer reading;
    private final ByteBuffer writing;
    private final byte[] bytes;
    private final UnsafeBuffer received;

    /**
     * Buffers.
     *
     * @param readBytes at most in one read
     * @param writeBytes at most in one write
     * @param maxMessageBytes the longest message
     */
    public IoBuffers(final int readBytes, final int writeBytes, final int maxMessageBytes) {
        reading = ByteBuffer.allocateDirect(readBytes);
        writing = ByteBuffer.allocateDirect(writeBytes);
        bytes = new byte[readBytes + maxMessageBytes];
        received = new UnsafeBuffer(bytes);
    }

    ByteBuffer reading() {
        return reading;
    }

    ByteBuffer writing() {
        return writing;
    }

    byte[] bytes() {
        return bytes;
    }

    UnsafeBuffer received() {
        return received;
    }
}
