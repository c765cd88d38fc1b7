package io.tickmark.transport.udp;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of one length, one behind the other as UDP_SEGMENT wants them (udp(7)). One thread;
 * allocates nothing after construction.
 */
final class SegmentBuffer {
    private final UnsafeBuffer bytes;
    private int segmentLength;
    private int count;

    SegmentBuffer(final int capacity) {
        bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /** Whether one more message of this length may join a batch. */
    boolean takes(final int length, final int batch) {
        return count == 0
                || length == segmentLength
                        && count < batch
                        && (count + 1) * length <= bytes.capacity();
    }

    void add(final DirectBuffer source, final int offset, final int length) {
        segmentLength = length;
        bytes.putBytes(count * length, source, offset, length);
        count++;
    }

    /** Copies one message to native memory without gathering it; only while empty. */
    long copyOf(final DirectBuffer source, final int offset, final int length) {
        bytes.putBytes(0, source, offset, length);
        return bytes.addressOffset();
    }

    /** Where a message lies; the first one is where all of them begin. */
    long addressOf(final int index) {
        return bytes.addressOffset() + (long) index * segmentLength;
    }

    int count() {
        return count;
    }

    int segmentLength() {
        return segmentLength;
    }

    void clear() {
        count = 0;
    }
}
