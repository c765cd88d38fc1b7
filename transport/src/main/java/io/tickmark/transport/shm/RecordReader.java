package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.INTENT_OFFSET;
import static io.tickmark.transport.shm.ShmLayout.LARGEST_SHARE;
import static io.tickmark.transport.shm.ShmLayout.MESSAGES_OFFSET;
import static io.tickmark.transport.shm.ShmLayout.NUMBER;
import static io.tickmark.transport.shm.ShmLayout.RECORD_ALIGNMENT;
import static io.tickmark.transport.shm.ShmLayout.RECORD_HEADER_BYTES;
import static io.tickmark.transport.shm.ShmLayout.TAIL_OFFSET;
import static io.tickmark.transport.shm.ShmLayout.recordBytes;

import io.tickmark.transport.MessageHandler;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the records of one ring. Single-threaded; allocates nothing. An invalid record ends the
 * reading: the file was damaged from outside.
 */
abstract sealed class RecordReader {
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

    /** Reads records in place, from a writer that waits for it. */
    static final class InPlace extends RecordReader {
        /** Part of the ring after which the reader publishes its position to the writer. */
        private static final int SHARE_PER_POLL = 4;

        InPlace(final AtomicBuffer ring, final long position) {
            super(ring, position);
        }

        @Override
        int read(final MessageHandler handler, final int limit) {
            final long enough = position + capacity / SHARE_PER_POLL;
            int handed = 0;
            while (handed < limit && position - enough < 0 && !damaged && !stopped) {
                final int index = (int) position & capacity - 1;
                final int frame = ring.getIntVolatile(index);
                if (frame == 0) {
                    break;
                }
                final int record = frame < 0 ? -frame : recordBytes(frame);
                if (!isPossible(frame, record, index)) {
                    damaged = true;
                    break;
                }
                position += record;
                if (frame > 0) {
                    handed++;
                    handler.onMessage(
                            ring, index + RECORD_HEADER_BYTES, frame - RECORD_HEADER_BYTES);
                }
            }
            return handed;
        }

        @Override
        long lost() {
            return 0;
        }
    }

    /**
     * Reads records of a writer that does not wait: copies each first, and uses the copy only if
     * the writer had not announced a write there. When overrun, it continues at the tail and counts
     * what it missed by the numbers of the messages.
     */
    static final class Lossy extends RecordReader {
        private final AtomicBuffer header;
        private final UnsafeBuffer copy;
        private long expected;
        private long skippedTo;
        private long lost;

        Lossy(
                final AtomicBuffer header,
                final AtomicBuffer ring,
                final long position,
                final long messagesBefore) {
            super(ring, position);
            this.header = header;
            this.copy =
                    new UnsafeBuffer(
                            ByteBuffer.allocateDirect(ShmLayout.maxPayloadBytes(capacity)));
            this.expected = messagesBefore;
        }

        @Override
        int read(final MessageHandler handler, final int limit) {
            // At most once around the ring after a skip: a damaged file must not block the caller.
            final long enough = position + capacity;
            int handed = 0;
            while (handed < limit && position - enough < 0 && !damaged && !stopped) {
                final int index = (int) position & capacity - 1;
                final int frame = ring.getIntVolatile(index);
                if (isOverrun()) {
                    skipToTail();
                    break;
                }
                if (frame == 0) {
                    break;
                }
                final int record = frame < 0 ? -frame : recordBytes(frame);
                if (!isPossible(frame, record, index)) {
                    damaged = true;
                    break;
                }
                if (frame > 0 && !copied(index, frame)) {
                    break;
                }
                position += record;
                if (frame > 0) {
                    handed++;
                    handler.onMessage(copy, 0, frame - RECORD_HEADER_BYTES);
                }
            }
            return handed;
        }

        private boolean copied(final int index, final int frame) {
            final int number = ring.getInt(index + NUMBER);
            ring.getBytes(index + RECORD_HEADER_BYTES, copy, 0, frame - RECORD_HEADER_BYTES);
            VarHandle.acquireFence();
            if (isOverrun()) {
                skipToTail();
                return false;
            }
            final int missed = number - (int) expected;
            lost += missed;
            expected += missed + 1L;
            return true;
        }

        private boolean isOverrun() {
            return header.getLongVolatile(INTENT_OFFSET) - capacity > position;
        }

        private void skipToTail() {
            // In this order: the tail is stored before the count that includes what lies before it.
            skippedTo = header.getLongVolatile(MESSAGES_OFFSET);
            moveTo(header.getLongVolatile(TAIL_OFFSET));
        }

        @Override
        long lost() {
            return lost + Math.max(0, skippedTo - expected);
        }
    }
}
