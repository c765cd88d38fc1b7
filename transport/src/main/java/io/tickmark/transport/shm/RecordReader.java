package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.LARGEST_SHARE;
import static io.tickmark.transport.shm.ShmLayout.RECORD_ALIGNMENT;
import static io.tickmark.transport.shm.ShmLayout.RECORD_HEADER_BYTES;

import io.tickmark.transport.MessageHandler;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Reads the records of one ring. Single-threaded; allocates nothing. An invalid record ends the
 * reading: the file was damaged from outside.
 */
abstract sealed class RecordReader permits RingReader, LossyReader {
    final AtomicBuffer ring;
    final int capacity;
    long position;
    boolean damaged;
    boolean stopped;

    RecordReader(final AtomicBuffer ring, final long position) {
        this.ring = ring;
        capacity = ring.capacity();
        moveTo(position);
    }

    /**
     * Passes available records to the handler, up to the limit; may leave some for the next call.
     */
    abstract int read(MessageHandler handler, int limit);

    /** Messages missed. */
    abstract long lost();

    /** Continues elsewhere; the file is damaged where no valid record can begin there. */
    final void moveTo(final long newPosition) {
        position = newPosition;
        damaged |= (newPosition & RECORD_ALIGNMENT - 1) != 0;
    }

    /** Whether a record of this length may stand at this place of the ring. */
    final boolean isPossible(final int frame, final int record, final int index) {
        return frame > 0
                ? frame >= RECORD_HEADER_BYTES
                        && frame <= capacity / LARGEST_SHARE
                        && record <= capacity - index
                : record > 0 && record <= capacity - index && (record & RECORD_ALIGNMENT - 1) == 0;
    }

    /** Position of the next record. */
    final long position() {
        return position;
    }

    /** Whether there is nothing to read. */
    final boolean isDrained() {
        return damaged || stopped || ring.getIntVolatile((int) position & capacity - 1) == 0;
    }

    /** Whether an invalid record was found. */
    final boolean isDamaged() {
        return damaged;
    }

    /** Stops reading, also from within a handler. */
    final void stop() {
        stopped = true;
    }
}
