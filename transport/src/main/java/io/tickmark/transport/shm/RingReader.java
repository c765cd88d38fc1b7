package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.LARGEST_SHARE;
import static io.tickmark.transport.shm.ShmLayout.RECORD_ALIGNMENT;
import static io.tickmark.transport.shm.ShmLayout.RECORD_HEADER_BYTES;
import static io.tickmark.transport.shm.ShmLayout.recordBytes;

import io.tickmark.transport.MessageHandler;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Reads records in place, from a writer that waits for it. Single-threaded; allocates nothing. An
 * invalid record ends the reading: the file was damaged from outside.
 */
final class RingReader implements RecordReader {
    /** Part of the ring after which the reader publishes its position to the writer. */
    private static final int SHARE_PER_POLL = 4;

    private final AtomicBuffer ring;
    private final int capacity;
    private long position;
    private boolean damaged;
    private boolean stopped;

    RingReader(final AtomicBuffer ring, final long position) {
        this.ring = ring;
        this.capacity = ring.capacity();
        this.position = position;
        this.damaged = isMisplaced(position);
    }

    @Override
    public int read(final MessageHandler handler, final int limit) {
        final long enough = position + capacity / SHARE_PER_POLL;
        int handed = 0;
        while (handed < limit && position - enough < 0 && !damaged && !stopped) {
            final int index = (int) position & capacity - 1;
            final int frame = ring.getIntVolatile(index);
            if (frame == 0) {
                break;
            }
            final int record = frame < 0 ? -frame : recordBytes(frame);
            if (!isPossible(frame, record, index, capacity)) {
                damaged = true;
                break;
            }
            position += record;
            if (frame > 0) {
                handed++;
                handler.onMessage(ring, index + RECORD_HEADER_BYTES, frame - RECORD_HEADER_BYTES);
            }
        }
        return handed;
    }

    /** Whether no valid record can begin there. */
    static boolean isMisplaced(final long position) {
        return (position & RECORD_ALIGNMENT - 1) != 0;
    }

    static boolean isPossible(
            final int frame, final int record, final int index, final int capacity) {
        return frame > 0
                ? frame >= RECORD_HEADER_BYTES
                        && frame <= capacity / LARGEST_SHARE
                        && record <= capacity - index
                : record > 0 && record <= capacity - index && (record & RECORD_ALIGNMENT - 1) == 0;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public boolean isDrained() {
        return damaged || stopped || ring.getIntVolatile((int) position & capacity - 1) == 0;
    }

    @Override
    public boolean isDamaged() {
        return damaged;
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public long lost() {
        return 0;
    }
}
