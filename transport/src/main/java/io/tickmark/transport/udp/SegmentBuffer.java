package io.tickmark.transport.udp;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of one length, one behind the other as UDP_SEGMENT wants them, and the message header
 * (recvmsg(2), cmsg(3), udp(7)) that sends them. One thread; allocates nothing after construction.
 */
final class SegmentBuffer {
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int VECTORS = 16;
    private static final int VECTOR_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int VECTOR = 56;
    private static final int CONTROL_MESSAGE = 72;
    private static final int SEGMENT = CONTROL_MESSAGE + 16;
    private static final int HEADER_BYTES = 96;

    private static final int CONTROL_HEADER_BYTES = 16;

    private final UnsafeBuffer header = new UnsafeBuffer(ByteBuffer.allocateDirect(HEADER_BYTES));
    private final UnsafeBuffer bytes;
    private int segmentLength;
    private int count;

    SegmentBuffer(final int capacity) {
        bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
        final long base = header.addressOffset();
        header.putLong(VECTORS, base + VECTOR);
        header.putLong(VECTOR_COUNT, 1);
        header.putLong(CONTROL, base + CONTROL_MESSAGE);
        header.putLong(CONTROL_LENGTH, HEADER_BYTES - CONTROL_MESSAGE);
        header.putLong(VECTOR, bytes.addressOffset());
        header.putLong(CONTROL_MESSAGE, CONTROL_HEADER_BYTES + Short.BYTES);
        header.putInt(CONTROL_MESSAGE + 8, LinuxSockets.SOL_UDP);
        header.putInt(CONTROL_MESSAGE + 12, LinuxSockets.UDP_SEGMENT);
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

    /** The header that sends all of it; its address. */
    long header(final long name, final int nameLength) {
        header.putLong(NAME, name);
        header.putInt(NAME_LENGTH, nameLength);
        header.putLong(VECTOR + 8, (long) count * segmentLength);
        header.putShort(SEGMENT, (short) segmentLength);
        return header.addressOffset();
    }
}
