package io.tickmark.transport.shm;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * The side that owns the file: writes the ring, reads the ways back. New readers are let in by the
 * next call of anything; their ways back are opened in {@code poll} and {@code doWork}. One thread.
 */
final class ShmBinder {
    /** Lossy readers are told of each step, in a line that all of them look at. */
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
    private final int maxPayloadBytes;
    private boolean closed;

    ShmBinder(final ShmAddress address, final boolean withReturns, final NanoClock clock) {
        this.address = address;
        ShmLeftovers.sweep(address, clock);
        file = new ShmCreation(address, withReturns, clock.nanoTime()).create();
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
        maxPayloadBytes = ShmLayout.maxPayloadBytes(file.capacityBytes());
    }

    private static Object keyOf(final Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (final IOException e) {
            // Not there: nothing that could be ours.
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
            slots.buryDead(heartbeat);
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
            // Somebody may have deleted it and made another one under the name.
            if (fileKey.equals(keyOf(address.path()))) {
                Files.deleteIfExists(address.path());
            }
        } catch (final IOException e) {
            // It stays as a leftover, marked as closed, and the next one of the name replaces it.
        }
        ShmLeftovers.forget(address.path());
        file.close();
    }
}
