package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.ACTIVE;
import static io.tickmark.transport.shm.ShmLayout.CHANGES_OFFSET;
import static io.tickmark.transport.shm.ShmLayout.JOINING;
import static io.tickmark.transport.shm.ShmLayout.LEAVING;
import static io.tickmark.transport.shm.ShmLayout.NONE;
import static io.tickmark.transport.shm.ShmLayout.SLOTS;

import java.lang.invoke.VarHandle;
import org.agrona.concurrent.AtomicBuffer;

/**
 * The writer's view of its readers. Readers ask to join and to leave; the writer lets them in at
 * its tail, so that what it believes about the slowest one stays true. One thread; allocates only
 * when it looks up a process.
 */
final class ReaderSlots implements RingWriter.Readers {
    private final AtomicBuffer header;
    private final boolean lossy;
    private final int[] active = new int[SLOTS];
    private int count;
    private long changesSeen;

    ReaderSlots(final AtomicBuffer header, final boolean lossy) {
        this.header = header;
        this.lossy = lossy;
    }

    /** Whether a reader wants to join or leave: a line that is nearly always in the cache. */
    boolean haveChanged() {
        return header.getLongVolatile(CHANGES_OFFSET) != changesSeen;
    }

    /** Counter that moves when readers join or leave. */
    long changes() {
        return header.getLongVolatile(CHANGES_OFFSET);
    }

    /** Lets in who wants to join, at the tail, and forgets who leaves. */
    void admit(final RingWriter writer) {
        changesSeen = changes();
        count = 0;
        for (int i = 0; i < SLOTS; i++) {
            final int slot = ShmLayout.slot(i);
            final int state = header.getIntVolatile(slot + ShmLayout.STATE);
            if (state == JOINING) {
                header.putLong(slot + ShmLayout.POSITION, writer.tail());
                header.putLong(slot + ShmLayout.MESSAGES_BEFORE, writer.messages());
                header.putIntRelease(slot + ShmLayout.STATE, ACTIVE);
            }
            if (state == JOINING || state == ACTIVE) {
                active[count++] = slot;
            }
        }
    }

    int count() {
        return count;
    }

    @Override
    public long slowest(final long tail) {
        long slowest = tail;
        for (int i = 0; i < count && !lossy; i++) {
            slowest = Math.min(slowest, header.getLongVolatile(active[i] + ShmLayout.POSITION));
        }
        return slowest;
    }

    @Override
    public void beforeWriting(final long position) {
        if (lossy) {
            header.putLongRelease(ShmLayout.INTENT_OFFSET, position);
            VarHandle.storeStoreFence();
        }
    }

    int state(final int index) {
        return header.getIntVolatile(ShmLayout.slot(index) + ShmLayout.STATE);
    }

    /** Gives the slot of a reader that has left to whoever comes. */
    void free(final int index) {
        final int slot = ShmLayout.slot(index);
        header.putIntRelease(slot + ShmLayout.STATE, NONE);
        // Or the next one could be taken for dead before it has said when it was started.
        header.putLong(slot + ShmLayout.PROCESS_START, 0);
        header.putLongRelease(slot + ShmLayout.PROCESS, 0);
    }

    /** Lets leave the readers whose process is gone, whatever they were doing. */
    void buryDead(final Heartbeat heartbeat) {
        for (int i = 0; i < SLOTS; i++) {
            final int slot = ShmLayout.slot(i);
            final long process = header.getLongVolatile(slot + ShmLayout.PROCESS);
            if (process != 0
                    && state(i) != LEAVING
                    && heartbeat.isOld(slot + ShmLayout.HEARTBEAT)
                    && !new ProcessIdentity(process, header.getLong(slot + ShmLayout.PROCESS_START))
                            .isAlive()) {
                header.putIntRelease(slot + ShmLayout.STATE, LEAVING);
                header.getAndAddLong(CHANGES_OFFSET, 1);
            }
        }
    }
}
