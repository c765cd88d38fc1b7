package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.ACTIVE;
import static io.tickmark.transport.shm.ShmLayout.LEAVING;
import static io.tickmark.transport.shm.ShmLayout.SLOTS;

import io.tickmark.transport.MessageHandler;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The ways back of all slots, as the binding side reads them. One thread. */
final class ShmReturns {
    private final ShmFile file;
    private final AtomicBuffer header;
    private final ReaderSlots slots;
    private final boolean present;
    private final UnsafeBuffer[] rings = new UnsafeBuffer[SLOTS];
    private final RingReader[] readers = new RingReader[SLOTS];
    private final int[] open = new int[SLOTS];
    private int count;
    private int first;
    private long changesSeen;
    private long damaged;
    private boolean reading;
    private boolean stopped;

    ShmReturns(final ShmFile file, final ReaderSlots slots) {
        this.file = file;
        this.header = file.header();
        this.slots = slots;
        this.present = file.has(ShmLayout.FLAG_RETURNS);
    }

    int read(final MessageHandler handler, final int limit) {
        refresh();
        // A handler may drive this side again: the list stays as it is until all were read.
        reading = true;
        int handed = 0;
        first = first + 1 < count ? first + 1 : 0;
        for (int i = 0; i < count && handed < limit && !stopped; i++) {
            final int turn = first + i < count ? first + i : first + i - count;
            handed += read(open[turn], handler, limit - handed);
        }
        reading = false;
        return handed;
    }

    private int read(final int slot, final MessageHandler handler, final int limit) {
        final RingReader reader = readers[slot];
        final long before = reader.position();
        final int handed = reader.read(handler, limit);
        if (reader.position() != before) {
            header.putLongRelease(
                    ShmLayout.slot(slot) + ShmLayout.RETURN_POSITION, reader.position());
        }
        return handed;
    }

    /** Opens those of new readers, drops those of readers that have left once they are read. */
    int refresh() {
        final long changes = slots.changes();
        if (changes == changesSeen || reading) {
            return 0;
        }
        boolean settled = true;
        count = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            settled &= refresh(slot);
            if (readers[slot] != null) {
                open[count++] = slot;
            }
        }
        changesSeen = settled ? changes : changesSeen;
        return 1;
    }

    private boolean refresh(final int slot) {
        final int state = slots.state(slot);
        if (state == ACTIVE && readers[slot] == null && present) {
            if (rings[slot] == null) {
                rings[slot] = file.returnRing(slot);
            }
            readers[slot] = new RingReader(rings[slot], 0);
        }
        if (state == LEAVING) {
            if (readers[slot] != null && !readers[slot].isDrained()) {
                return false;
            }
            damaged += readers[slot] != null && readers[slot].isDamaged() ? 1 : 0;
            readers[slot] = null;
            slots.free(slot);
        }
        return state != ShmLayout.JOINING;
    }

    long damaged() {
        return damaged;
    }

    void stop() {
        stopped = true;
        for (int i = 0; i < count; i++) {
            readers[open[i]].stop();
        }
    }
}
