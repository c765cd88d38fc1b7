package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.ACTIVE;
import static io.tickmark.transport.shm.ShmLayout.CHANGES_OFFSET;
import static io.tickmark.transport.shm.ShmLayout.JOINING;
import static io.tickmark.transport.shm.ShmLayout.LEAVING;
import static io.tickmark.transport.shm.ShmLayout.NONE;
import static io.tickmark.transport.shm.ShmLayout.SLOTS;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The side that owns the file: writes the ring, reads the return rings. New readers are admitted by
 * the next call of any method; their return rings are opened in {@code poll} and {@code doWork}.
 * Single-threaded.
 */
final class ShmBinder {
    /** Each step is published to lossy readers, in a cache line that all of them read. */
    private static final int LOSSY_CLEAN_STEP_BYTES = 2048;

    private final ShmAddress address;
    private final ShmFile file;
    private final Object fileKey;
    private final AtomicBuffer header;
    private final boolean lossy;
    private final ReaderSlots slots;
    private final RingWriter writer;
    private final ShmReturns returns;
    private final Heartbeat heartbeat;
    private final Bell bell;
    private final Bell backBell;
    private final BooleanSupplier isIdle = this::isIdle;
    private final int maxPayloadBytes;
    private boolean closed;

    ShmBinder(final ShmAddress address, final boolean withReturns, final NanoClock clock) {
        this.address = address;
        ShmLeftovers.sweep(address, clock);
        file = ShmFile.create(address, withReturns, clock.nanoTime());
        fileKey = keyOf(address.path());
        ShmLeftovers.deleteAtExit(address.path());
        header = file.header();
        lossy = file.has(ShmLayout.FLAG_LOSSY);
        slots = new ReaderSlots(header, lossy);
        writer =
                new RingWriter(
                        file.ring(),
                        slots,
                        lossy ? LOSSY_CLEAN_STEP_BYTES : ShmLayout.RECORD_ALIGNMENT);
        returns = new ShmReturns(file, slots);
        heartbeat = new Heartbeat(clock, header, ShmLayout.WRITER_HEARTBEAT_OFFSET);
        bell = new Bell(header, ShmLayout.BELL_OFFSET);
        backBell = new Bell(header, ShmLayout.BACK_BELL_OFFSET);
        maxPayloadBytes = ShmLayout.maxPayloadBytes(file.capacityBytes());
    }

    private static Object keyOf(final Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (final IOException e) {
            // Missing: nothing that could belong to us.
            return path;
        }
    }

    ShmAddress address() {
        return address;
    }

    long offer(final DirectBuffer message, final int offset, final int length) {
        final long room = room(length);
        if (room < 0) {
            return room;
        }
        writer.copy((int) room, message, offset, length);
        heartbeat.beat();
        return commit();
    }

    /** Offset of the room in the ring, or a code of {@link Publication}. */
    long room(final int length) {
        if (closed) {
            return Publication.CLOSED;
        }
        if (length > maxPayloadBytes) {
            return Publication.TOO_LONG;
        }
        if (slots.haveChanged()) {
            slots.admit(writer);
        }
        if (slots.count() == 0) {
            idle();
            return Publication.NOT_CONNECTED;
        }
        final int at = writer.claim(length);
        if (at == RingWriter.NO_ROOM) {
            idle();
            return Publication.BACK_PRESSURED;
        }
        return at;
    }

    long commit() {
        final long position = writer.commit();
        if (lossy) {
            header.putLongRelease(ShmLayout.TAIL_OFFSET, position);
            header.putLongRelease(ShmLayout.MESSAGES_OFFSET, writer.messages());
        }
        bell.ring();
        return position;
    }

    void abort() {
        writer.abort();
        if (lossy) {
            header.putLongRelease(ShmLayout.TAIL_OFFSET, writer.tail());
        }
    }

    /** Bytes written so far. */
    long position() {
        return writer.tail();
    }

    AtomicBuffer ring() {
        return file.ring();
    }

    int poll(final MessageHandler handler, final int limit) {
        if (closed) {
            return 0;
        }
        final int handed = returns.read(handler, limit);
        if (handed == 0) {
            doWork();
        }
        return handed;
    }

    /** Sleeps until a message arrives on a return ring, or the time is over. */
    void await(final long timeoutNs) {
        if (!closed) {
            backBell.await(timeoutNs, isIdle);
            heartbeat.slept();
        }
    }

    private boolean isIdle() {
        return !slots.haveChanged() && returns.areDrained();
    }

    int doWork() {
        if (closed) {
            return 0;
        }
        if (slots.haveChanged()) {
            slots.admit(writer);
            return 1;
        }
        final int opened = returns.refresh();
        idle();
        return opened;
    }

    private void idle() {
        if (heartbeat.beat()) {
            slots.releaseDead(heartbeat);
        }
    }

    int readers() {
        return slots.count();
    }

    boolean isClosed() {
        return closed;
    }

    Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("file", address.path().toString());
        facts.put("epoch", header.getLong(ShmLayout.EPOCH_OFFSET));
        facts.put("damagedWaysBack", returns.damaged());
        return facts;
    }

    void close() {
        if (closed) {
            return;
        }
        closed = true;
        returns.stop();
        header.putIntVolatile(ShmLayout.WRITER_STATE_OFFSET, ShmLayout.WRITER_CLOSED);
        try {
            // Another process may have deleted it and created a new one with the same name.
            if (fileKey.equals(keyOf(address.path()))) {
                Files.deleteIfExists(address.path());
            }
        } catch (final IOException e) {
            // It remains as a leftover, marked as closed, and the next binding side of this name
            // replaces it.
        }
        ShmLeftovers.forget(address.path());
        file.close();
    }

    /** The return rings of all slots, as the binding side reads them. Single-threaded. */
    private static final class ShmReturns {
        private final ShmFile file;
        private final AtomicBuffer header;
        private final ReaderSlots slots;
        private final boolean present;
        private final UnsafeBuffer[] rings = new UnsafeBuffer[SLOTS];
        private final RecordReader.InPlace[] readers = new RecordReader.InPlace[SLOTS];
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
            // A handler may drive this side again: the list stays unchanged until all were read.
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
            final RecordReader.InPlace reader = readers[slot];
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
                readers[slot] = new RecordReader.InPlace(rings[slot], 0);
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

        boolean areDrained() {
            for (int i = 0; i < count; i++) {
                if (!readers[open[i]].isDrained()) {
                    return false;
                }
            }
            return true;
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

    /**
     * Ensures that processes which exit without closing leave no files: an orderly exit deletes
     * them, and after a kill the next binding side in the folder does, if the machine chose the
     * name and no process will use it again. Any thread, never on the hot path.
     */
    private static final class ShmLeftovers {
        private static final String CHOSEN_NAMES =
                ShmAddress.PREFIX + ShmAddress.CHOSEN + "*" + ShmAddress.SUFFIX;

        /**
         * A process of another container appears dead from here, so its heartbeat must be old as
         * well.
         */
        private static final long ABANDONED_NS = TimeUnit.SECONDS.toNanos(60);

        private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

        static {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(ShmLeftovers::deleteOpen, "tickmark-shm-exit"));
        }

        private ShmLeftovers() {}

        private static void deleteOpen() {
            for (final Path path : OPEN) {
                path.toFile().delete();
            }
        }

        /** Deletes a file at an orderly exit of this process, unless it is unregistered first. */
        static void deleteAtExit(final Path path) {
            OPEN.add(path);
        }

        static void forget(final Path path) {
            OPEN.remove(path);
        }

        /** Deletes the files of killed processes whose names were chosen by the machine. */
        static void sweep(final ShmAddress address, final NanoClock clock) {
            final Path directory = address.path().getParent();
            try (DirectoryStream<Path> candidates =
                    Files.newDirectoryStream(directory, CHOSEN_NAMES)) {
                for (final Path candidate : candidates) {
                    if (isAbandoned(address.at(candidate), clock.nanoTime())) {
                        Files.deleteIfExists(candidate);
                    }
                }
            } catch (final IOException e) {
                // This only tidies up for others: files that cannot be read or deleted stay.
            }
        }

        private static boolean isAbandoned(final ShmAddress address, final long nowNs) {
            ShmFile file = null;
            try {
                file = ShmFile.open(address);
                final long heartbeatNs =
                        file.header().getLongVolatile(ShmLayout.WRITER_HEARTBEAT_OFFSET);
                return !file.writer().isAlive() && Math.abs(nowNs - heartbeatNs) > ABANDONED_NS;
            } catch (final IOException | UserError e) {
                // It may be a file of another program.
                return false;
            } finally {
                CloseHelper.quietClose(file);
            }
        }
    }

    /**
     * The writer's view of its readers. Readers ask to join and to leave; the writer admits them at
     * its tail, so that its knowledge of the slowest one stays correct. Single-threaded; allocates
     * only when it looks up a process.
     */
    private static final class ReaderSlots implements RingWriter.Readers {
        private final AtomicBuffer header;
        private final boolean lossy;
        private final int[] active = new int[SLOTS];
        private int count;
        private long changesSeen;

        ReaderSlots(final AtomicBuffer header, final boolean lossy) {
            this.header = header;
            this.lossy = lossy;
        }

        /**
         * Whether a reader asks to join or leave: a cache line that is nearly always in the cache.
         */
        boolean haveChanged() {
            return header.getLongVolatile(CHANGES_OFFSET) != changesSeen;
        }

        /** Counter that moves when readers join or leave. */
        long changes() {
            return header.getLongVolatile(CHANGES_OFFSET);
        }

        /** Admits joining readers at the tail, and removes leaving ones. */
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

        /** Frees the slot of a reader that has left. */
        void free(final int index) {
            final int slot = ShmLayout.slot(index);
            header.putIntRelease(slot + ShmLayout.STATE, NONE);
            // Otherwise the next reader could be taken for dead before it has stored its start
            // time.
            header.putLong(slot + ShmLayout.PROCESS_START, 0);
            header.putLongRelease(slot + ShmLayout.PROCESS, 0);
        }

        /** Removes the readers whose process is gone, whatever their state. */
        void releaseDead(final Heartbeat heartbeat) {
            for (int i = 0; i < SLOTS; i++) {
                final int slot = ShmLayout.slot(i);
                final long process = header.getLongVolatile(slot + ShmLayout.PROCESS);
                if (process != 0
                        && state(i) != LEAVING
                        && heartbeat.isOld(slot + ShmLayout.HEARTBEAT)
                        && !new ProcessIdentity(
                                        process, header.getLong(slot + ShmLayout.PROCESS_START))
                                .isAlive()) {
                    header.putIntRelease(slot + ShmLayout.STATE, LEAVING);
                    header.getAndAddLong(CHANGES_OFFSET, 1);
                }
            }
        }
    }
}
