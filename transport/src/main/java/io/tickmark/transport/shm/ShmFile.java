package io.tickmark.transport.shm;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A mapped file of the layout. Mappings last as long as the buffers that use them, so that no
 * access to unmapped memory is possible.
 */
final class ShmFile implements AutoCloseable {
    private static final ByteBuffer ZEROES = ByteBuffer.allocateDirect(1 << 16);

    private final FileChannel file;
    private final UnsafeBuffer header;
    private final UnsafeBuffer ring;

    private ShmFile(final FileChannel file, final UnsafeBuffer header, final UnsafeBuffer ring) {
        this.file = file;
        this.header = header;
        this.ring = ring;
    }

    /** Maps a file that has just been laid out. */
    private static ShmFile map(final FileChannel file, final int capacityBytes) throws IOException {
        return new ShmFile(
                file,
                mapped(file, 0, ShmLayout.HEADER_BYTES),
                mapped(file, ShmLayout.HEADER_BYTES, capacityBytes));
    }

    /**
     * Creates the file of a channel: complete before it appears under its name, replacing one whose
     * writer is gone, never replacing anything else.
     *
     * @param returns whether its readers send back
     * @throws UserError if it cannot be created, or its name is in use
     */
    static ShmFile create(final ShmAddress address, final boolean returns, final long nowNs) {
        return new Creation(address, returns, nowNs).create();
    }

    /**
     * Opens and checks a file that another process created.
     *
     * @throws IOException if it cannot be opened
     * @throws UserError if it is another kind of file
     */
    static ShmFile open(final ShmAddress address) throws IOException {
        final FileChannel file =
                FileChannel.open(
                        address.path(),
                        Set.of(
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS));
        try {
            return map(file, checkedCapacity(file, address));
        } catch (final IOException | RuntimeException e) {
            CloseHelper.quietClose(file);
            throw e;
        }
    }

    private static int checkedCapacity(final FileChannel file, final ShmAddress address)
            throws IOException {
        final long size = file.size();
        if (size < ShmLayout.HEADER_BYTES) {
            throw foreign(address, "is too short to be a tickmark ring");
        }
        final UnsafeBuffer header = mapped(file, 0, ShmLayout.HEADER_BYTES);
        if (header.getLong(ShmLayout.MAGIC_OFFSET) != ShmLayout.MAGIC) {
            throw foreign(address, "is not a tickmark ring");
        }
        final int version = header.getInt(ShmLayout.VERSION_OFFSET);
        if (version != ShmLayout.VERSION) {
            throw foreign(
                    address,
                    "has version "
                            + version
                            + ", and this build uses version "
                            + ShmLayout.VERSION);
        }
        final int capacity = header.getInt(ShmLayout.CAPACITY_OFFSET);
        final int flags = header.getInt(ShmLayout.FLAGS_OFFSET);
        if (Integer.bitCount(capacity) != 1
                || capacity < ShmLayout.MIN_CAPACITY_BYTES
                || size != ShmLayout.fileBytes(capacity, flags)) {
            throw foreign(address, "is damaged: its size does not match its header");
        }
        return capacity;
    }

    private static UserError foreign(final ShmAddress address, final String what) {
        return UserError.environment(
                "--channel "
                        + address.channel()
                        + ": "
                        + address.path()
                        + " "
                        + what
                        + "; delete it or choose another name.");
    }

    private static UnsafeBuffer mapped(final FileChannel file, final long from, final int length)
            throws IOException {
        return new UnsafeBuffer(file.map(FileChannel.MapMode.READ_WRITE, from, length));
    }

    /**
     * Writes zeroes, so that the room is really allocated: a full disk is an error, not a crash.
     */
    private static void zero(final FileChannel file, final long from, final long length)
            throws IOException {
        for (long at = 0; at < length; at += ZEROES.capacity()) {
            final int some = (int) Math.min(ZEROES.capacity(), length - at);
            file.write(ZEROES.duplicate().limit(some), from + at);
        }
    }

    UnsafeBuffer header() {
        return header;
    }

    UnsafeBuffer ring() {
        return ring;
    }

    int capacityBytes() {
        return ring.capacity();
    }

    boolean has(final int flag) {
        return (header.getInt(ShmLayout.FLAGS_OFFSET) & flag) != 0;
    }

    /** Whether its writer has not marked it as closed. */
    boolean isOpen() {
        return header.getIntVolatile(ShmLayout.WRITER_STATE_OFFSET) == ShmLayout.WRITER_OPEN;
    }

    ProcessIdentity writer() {
        return new ProcessIdentity(
                header.getLongVolatile(ShmLayout.WRITER_PROCESS_OFFSET),
                header.getLong(ShmLayout.WRITER_START_OFFSET));
    }

    /** The return ring of a slot. */
    UnsafeBuffer returnRing(final int slot) {
        try {
            return mapped(file, ShmLayout.returnRing(slot, capacityBytes()), capacityBytes());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empties the return ring of a slot. */
    void clearReturnRing(final int slot) throws IOException {
        zero(file, ShmLayout.returnRing(slot, capacityBytes()), capacityBytes());
    }

    @Override
    public void close() {
        CloseHelper.quietClose(file);
    }

    /** The steps of {@link ShmFile#create}. */
    private static final class Creation {
        private final ShmAddress address;
        private final int flags;
        private final long nowNs;

        Creation(final ShmAddress address, final boolean returns, final long nowNs) {
            this.address = address;
            this.flags =
                    (address.parameters().lossy() ? ShmLayout.FLAG_LOSSY : 0)
                            | (returns ? ShmLayout.FLAG_RETURNS : 0);
            this.nowNs = nowNs;
        }

        ShmFile create() {
            final Path draft =
                    address.path()
                            .resolveSibling(
                                    address.path().getFileName()
                                            + "."
                                            + ProcessHandle.current().pid()
                                            + ".new");
            try {
                Files.deleteIfExists(draft);
                final ShmFile made = draft(draft);
                publish(draft, made);
                return made;
            } catch (final AccessDeniedException e) {
                throw failed("belongs to another user, or its folder does; choose another name", e);
            } catch (final IOException e) {
                throw failed(
                        "cannot be made ("
                                + e.getMessage()
                                + "); give a directory with room, or a smaller capacityBytes",
                        e);
            }
        }

        private ShmFile draft(final Path draft) throws IOException {
            final FileChannel file =
                    FileChannel.open(
                            draft,
                            Set.of(
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.READ,
                                    StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            try {
                final int capacity = address.parameters().capacityBytes();
                zero(file, 0, ShmLayout.HEADER_BYTES + (long) capacity);
                zero(file, ShmLayout.fileBytes(capacity, flags) - 1, 1);
                final ShmFile made = map(file, capacity);
                fill(made.header(), capacity);
                return made;
            } catch (final IOException | RuntimeException e) {
                CloseHelper.quietClose(file);
                Files.deleteIfExists(draft);
                throw e;
            }
        }

        private void fill(final UnsafeBuffer header, final int capacity) {
            final ProcessIdentity self = ProcessIdentity.current();
            header.putInt(ShmLayout.VERSION_OFFSET, ShmLayout.VERSION);
            header.putInt(ShmLayout.FLAGS_OFFSET, flags);
            header.putInt(ShmLayout.CAPACITY_OFFSET, capacity);
            header.putLong(ShmLayout.EPOCH_OFFSET, 1);
            header.putLong(ShmLayout.WRITER_PROCESS_OFFSET, self.id());
            header.putLong(ShmLayout.WRITER_START_OFFSET, self.startTicks());
            header.putLong(ShmLayout.WRITER_HEARTBEAT_OFFSET, nowNs);
            header.putLong(ShmLayout.INTENT_OFFSET, capacity);
            header.putInt(ShmLayout.WRITER_STATE_OFFSET, ShmLayout.WRITER_OPEN);
            header.putLongRelease(ShmLayout.MAGIC_OFFSET, ShmLayout.MAGIC);
        }

        private void publish(final Path draft, final ShmFile made) throws IOException {
            try {
                // A link is refused where the name is taken; a move would replace the file
                // silently.
                Files.createLink(address.path(), draft);
            } catch (final FileAlreadyExistsException e) {
                replaceLeftover(draft, made);
            } catch (final IOException | RuntimeException e) {
                made.close();
                throw e;
            } finally {
                Files.deleteIfExists(draft);
            }
        }

        private void replaceLeftover(final Path draft, final ShmFile made) throws IOException {
            try (ShmFile old = open(address)) {
                final ProcessIdentity writer = old.writer();
                if (old.isOpen() && writer.isAlive()) {
                    throw failed(
                            "is in use by process "
                                    + writer.id()
                                    + "; choose another name, or end that process",
                            null);
                }
                made.header()
                        .putLong(
                                ShmLayout.EPOCH_OFFSET,
                                old.header().getLong(ShmLayout.EPOCH_OFFSET) + 1);
                Files.move(draft, address.path(), StandardCopyOption.ATOMIC_MOVE);
                old.header()
                        .putIntVolatile(ShmLayout.WRITER_STATE_OFFSET, ShmLayout.WRITER_REPLACED);
            } catch (final NoSuchFileException e) {
                // Deleted by its owner a moment ago.
                Files.move(draft, address.path(), StandardCopyOption.ATOMIC_MOVE);
            } catch (final UserError e) {
                made.close();
                throw e;
            }
        }

        private UserError failed(final String what, final IOException cause) {
            final String sentence =
                    "--channel " + address.channel() + ": " + address.path() + " " + what + ".";
            return cause == null
                    ? UserError.environment(sentence)
                    : UserError.environment(sentence, cause);
        }
    }
}
