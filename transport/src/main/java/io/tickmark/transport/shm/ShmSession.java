package io.tickmark.transport.shm;

import static io.tickmark.transport.shm.ShmLayout.ACTIVE;
import static io.tickmark.transport.shm.ShmLayout.CHANGES_OFFSET;
import static io.tickmark.transport.shm.ShmLayout.JOINING;
import static io.tickmark.transport.shm.ShmLayout.LEAVING;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * A reader's stay in one file: from joining until the writer or the reader leaves. Holds one slot,
 * and where the file has them that slot's way back. One thread.
 */
final class ShmSession implements RingWriter.Readers {
    private final ShmFile file;
    private final AtomicBuffer header;
    private final int slot;
    private final Heartbeat heartbeat;
    private final RingWriter back;
    private RecordReader reader;
    private boolean writerGone;
    private boolean left;

    private ShmSession(final ShmFile file, final int index, final NanoClock clock)
            throws IOException {
        this.file = file;
        this.header = file.header();
        this.slot = ShmLayout.slot(index);
        this.heartbeat = new Heartbeat(clock, header, slot + ShmLayout.HEARTBEAT);
        if (file.has(ShmLayout.FLAG_RETURNS)) {
            file.clearReturnRing(index);
            back = new RingWriter(file.returnRing(index), this, ShmLayout.RECORD_ALIGNMENT);
        } else {
            back = null;
        }
        header.putLong(slot + ShmLayout.RETURN_POSITION, 0);
        header.putIntRelease(slot + ShmLayout.STATE, JOINING);
        header.getAndAddLong(CHANGES_OFFSET, 1);
    }

    /**
     * Joins the file of a channel.
     *
     * @return empty while nobody writes there
     * @throws UserError if the file is something else, is not readable or has no slot left
     */
    static Optional<ShmSession> join(final ShmAddress address, final NanoClock clock) {
        try {
            final ShmFile file = ShmFile.open(address);
            if (!file.isOpen() || !file.writer().isAlive()) {
                file.close();
                return Optional.empty();
            }
            return Optional.of(new ShmSession(file, takeSlot(file, address), clock));
        } catch (final NoSuchFileException e) {
            return Optional.empty();
        } catch (final IOException e) {
            throw UserError.environment(
                    "--channel "
                            + address.channel()
                            + ": "
                            + address.path()
                            + " cannot be used ("
                            + e.getMessage()
                            + "); see who owns it and whether there is room.",
                    e);
        }
    }

    private static int takeSlot(final ShmFile file, final ShmAddress address) {
        final ProcessIdentity self = ProcessIdentity.current();
        for (int i = 0; i < ShmLayout.SLOTS; i++) {
            final int slot = ShmLayout.slot(i);
            if (file.header().compareAndSetLong(slot + ShmLayout.PROCESS, 0, self.id())) {
                file.header().putLong(slot + ShmLayout.PROCESS_START, self.startTicks());
                return i;
            }
        }
        file.close();
        throw UserError.environment(
                "--channel "
                        + address.channel()
                        + ": "
                        + ShmLayout.SLOTS
                        + " readers are there already; use fewer subscribers.");
    }

    int read(final MessageHandler handler, final int limit) {
        if (!isAdmitted()) {
            lookAfterWriter();
            return 0;
        }
        final long before = reader.position();
        final int handed = reader.read(handler, limit);
        if (left) {
            // By the handler: the slot may be somebody else's by now.
            return handed;
        }
        if (reader.position() != before) {
            header.putLongRelease(slot + ShmLayout.POSITION, reader.position());
            heartbeat.beat();
        } else {
            lookAfterWriter();
        }
        return handed;
    }

    /** Whether the writer has let this reader in. */
    boolean isAdmitted() {
        if (reader != null) {
            return true;
        }
        if (header.getIntVolatile(slot + ShmLayout.STATE) != ACTIVE) {
            return false;
        }
        final long position = header.getLong(slot + ShmLayout.POSITION);
        reader =
                file.has(ShmLayout.FLAG_LOSSY)
                        ? new LossyReader(
                                header,
                                file.ring(),
                                position,
                                header.getLong(slot + ShmLayout.MESSAGES_BEFORE))
                        : new RingReader(file.ring(), position);
        return true;
    }

    /** When idle: tells that this side lives, and looks now and then whether the writer does. */
    void lookAfterWriter() {
        final boolean look = heartbeat.beat();
        if (!file.isOpen()
                || look
                        && heartbeat.isOld(ShmLayout.WRITER_HEARTBEAT_OFFSET)
                        && !file.writer().isAlive()) {
            writerGone = true;
        }
    }

    boolean isWriterGone() {
        return writerGone || reader != null && reader.isDamaged();
    }

    /** Whether the writer is gone and all that it wrote was read. */
    boolean isOver() {
        return isWriterGone() && (reader == null || reader.isDrained());
    }

    /** Offset of room in the way back, or a code of {@link Publication}. */
    long room(final int length) {
        if (isWriterGone() || !isAdmitted() || back == null) {
            lookAfterWriter();
            return Publication.NOT_CONNECTED;
        }
        final int at = back.claim(length);
        if (at == RingWriter.NO_ROOM) {
            lookAfterWriter();
            return Publication.BACK_PRESSURED;
        }
        return at;
    }

    RingWriter back() {
        return back;
    }

    int maxPayloadBytes() {
        return ShmLayout.maxPayloadBytes(file.capacityBytes());
    }

    long lost() {
        return reader == null ? 0 : reader.lost();
    }

    long epoch() {
        return header.getLong(ShmLayout.EPOCH_OFFSET);
    }

    boolean isDamaged() {
        return reader != null && reader.isDamaged();
    }

    @Override
    public long slowest(final long tail) {
        return header.getLongVolatile(slot + ShmLayout.RETURN_POSITION);
    }

    @Override
    public void beforeWriting(final long position) {
        // The binding side is waited for: it needs no warning.
    }

    void leave() {
        left = true;
        if (reader != null) {
            reader.stop();
        }
        header.putIntRelease(slot + ShmLayout.STATE, LEAVING);
        header.getAndAddLong(CHANGES_OFFSET, 1);
        file.close();
    }
}
