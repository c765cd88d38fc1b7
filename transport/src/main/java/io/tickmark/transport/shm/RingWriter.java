package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.NUMBER;
import static io.tickmark.transport.shm.ShmLayout.RECORD_ALIGNMENT;
import static io.tickmark.transport.shm.ShmLayout.RECORD_HEADER_BYTES;
import static io.tickmark.transport.shm.ShmLayout.recordBytes;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Writes records into a ring. A small message touches one cache line: its length is stored last,
 * with release, into a word that was zero before; readers wait only on that word. Words are zeroed
 * some records ahead, after a record was published: a cache miss then costs time that no reader
 * waits for. Single-threaded; allocates nothing.
 */
final class RingWriter {
    /** What {@link #claim} returns when readers have to be waited for. */
    static final int NO_ROOM = -1;

    private static final int AHEAD_BYTES = 4096;

    /** Where the readers are. */
    interface Readers {
        /** Position of the slowest, or the tail where the writer waits for no reader. */
        long slowest(long tail);

        /** Called before bytes up to a position may change. */
        void beforeWriting(long position);
    }

    private final AtomicBuffer ring;
    private final int capacity;
    private final Readers readers;
    private final int cleanStepBytes;
    private long tail;
    private long cleanTo;
    private long limit;
    private long messages;
    private int claimedBytes;

    /**
     * A writer at the start of a ring of zeroes.
     *
     * @param cleanStepBytes least number of bytes zeroed at once: small where the readers are not
     *     notified, so that the cost is spread evenly
     */
    RingWriter(final AtomicBuffer ring, final Readers readers, final int cleanStepBytes) {
        this.cleanStepBytes = cleanStepBytes;
        this.ring = ring;
        this.capacity = ring.capacity();
        this.readers = readers;
        this.cleanTo = capacity;
        this.limit = capacity;
    }

    long tail() {
        return tail;
    }

    long messages() {
        return messages;
    }

    /** Updates the readers' positions. */
    void refreshLimit() {
        limit = (readers.slowest(tail) & -RECORD_ALIGNMENT) + capacity;
    }

    /**
     * Makes room for a message.
     *
     * @return offset of its first byte in the ring, or {@link #NO_ROOM}
     */
    int claim(final int length) {
        if (claimedBytes != 0) {
            throw new IllegalStateException("the last claim was neither committed nor aborted");
        }
        final int record = recordBytes(RECORD_HEADER_BYTES + length);
        final int toEnd = capacity - index(tail);
        final int skipped = record > toEnd ? toEnd : 0;
        final long start = tail + skipped;
        // The word after the record has to be zero before the record becomes visible.
        final long needed = start + record + RECORD_ALIGNMENT;
        final long cleaned = needed <= cleanTo ? cleanTo : needed + AHEAD_BYTES - 1 & -AHEAD_BYTES;
        if (cleaned > limit) {
            refreshLimit();
            if (cleaned > limit) {
                return NO_ROOM;
            }
        }
        if (cleaned > cleanTo) {
            readers.beforeWriting(cleaned);
            clean(start, start + record, cleaned);
        }
        if (skipped > 0) {
            ring.putIntRelease(index(tail), -skipped);
            tail = start;
        }
        claimedBytes = RECORD_HEADER_BYTES + length;
        return index(start) + RECORD_HEADER_BYTES;
    }

    private void clean(final long recordStart, final long recordEnd, final long to) {
        // Its own word has to be zero; its body is overwritten anyway.
        zero(cleanTo, Math.min(to, recordStart + RECORD_ALIGNMENT));
        zero(Math.max(cleanTo, recordEnd), to);
        cleanTo = to;
    }

    private void zero(final long from, final long to) {
        if (from < to) {
            final int first = (int) Math.min(to - from, capacity - index(from));
            ring.setMemory(index(from), first, (byte) 0);
            ring.setMemory(0, (int) (to - from) - first, (byte) 0);
        }
    }

    /** Publishes the claimed record to the readers. */
    long commit() {
        final int index = index(tail);
        final int frame = claimed();
        ring.putInt(index + NUMBER, (int) messages);
        messages++;
        tail += recordBytes(frame);
        ring.putIntRelease(index, frame);
        cleanAhead();
        return tail;
    }

    private void cleanAhead() {
        final long to = Math.min(tail + AHEAD_BYTES, limit);
        if (to - cleanTo >= cleanStepBytes) {
            readers.beforeWriting(to);
            for (long position = cleanTo; position < to; position += RECORD_ALIGNMENT) {
                ring.putLong(index(position), 0);
            }
            cleanTo = to;
        }
    }

    /** Turns the claimed record into one to be skipped. */
    void abort() {
        final int index = index(tail);
        final int record = recordBytes(claimed());
        tail += record;
        ring.putIntRelease(index, -record);
    }

    private int claimed() {
        if (claimedBytes == 0) {
            throw new IllegalStateException("there is no open claim");
        }
        final int frame = claimedBytes;
        claimedBytes = 0;
        return frame;
    }

    /** Copies a message into the claimed room. */
    void copy(final int at, final DirectBuffer message, final int offset, final int length) {
        ring.putBytes(at, message, offset, length);
    }

    AtomicBuffer ring() {
        return ring;
    }

    private int index(final long position) {
        return (int) position & capacity - 1;
    }
}
