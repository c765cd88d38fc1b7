package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.RECORD_HEADER_BYTES;
import static io.tickmark.transport.shm.ShmLayout.recordBytes;

import io.tickmark.transport.MessageHandler;
import org.agrona.concurrent.AtomicBuffer;

/** Reads records in place, from a writer that waits for it. */
final class RingReader extends RecordReader {
    /** Part of the ring after which the reader publishes its position to the writer. */
    private static final int SHARE_PER_POLL = 4;

    RingReader(final AtomicBuffer ring, final long position) {
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
                handler.onMessage(ring, index + RECORD_HEADER_BYTES, frame - RECORD_HEADER_BYTES);
            }
        }
        return handed;
    }

    @Override
    long lost() {
        return 0;
    }
}
