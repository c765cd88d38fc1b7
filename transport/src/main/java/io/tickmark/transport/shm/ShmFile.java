package io.tickmark.transport.shm;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
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
    static ShmFile map(final FileChannel file, final int capacityBytes) throws IOException {
        return new ShmFile(
                file,
                mapped(file, 0, ShmLayout.HEADER_BYTES),
                mapped(file, ShmLayout.HEADER_BYTES, capacityBytes));
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
                    "has version " + version + " where " + ShmLayout.VERSION + " is spoken");
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
    static void zero(final FileChannel file, final long from, final long length)
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
}
