package io.tickmark.engines.chronicle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The single writer of a queue. Chronicle's own lock is always free for it, so that it never waits;
 * only room on the disk and the next part of the mapping occasionally take time. Single-threaded;
 * allocates nothing.
 */
final class QueueWriter implements AutoCloseable {
    static final int MAX_PAYLOAD_BYTES = 1 << 20;

    /** The disk has no room for it. */
    static final long NO_ROOM = -1;

    /** After a message there may be its header, and pages of the index: 32 KiB each. */
    private static final int MARGIN_BYTES = 512 << 10;

    private final QueueLock lock;
    private final ChronicleQueue queue;
    private final ExcerptAppender appender;
    private final DiskRoom room;
    private final UnsafeBuffer window = new UnsafeBuffer(0, 0);
    private final long cutBytes;
    private long next;
    private boolean isClosed;

    private QueueWriter(final QueueLock lock, final QueueAddress address, final Path folder)
            throws IOException {
        this.lock = lock;
        queue = Queues.open(address, folder);
        try {
            cutBytes = new QueueFile(folder).cutTornTail();
            appender = queue.createAppender();
            appender.singleThreadedCheckDisabled(true);
            try (DocumentContext made = appender.writingDocument(true)) {
                made.wire().bytes().writeInt(0); // creates the file, off the hot path
            }
            room = new DiskRoom(folder.resolve(QueueFile.DATA));
            next = queue.createTailer().toEnd().index();
        } catch (final IOException | RuntimeException | Error e) {
            queue.close();
            throw e;
        }
    }

    /**
     * Opens a queue to write to it.
     *
     * @throws UserError if it cannot be used, or another process writes to it
     */
    static QueueWriter open(final QueueAddress address, final Path folder) {
        QueueLock lock = null;
        try {
            Files.createDirectories(folder.getParent());
            lock =
                    QueueLock.take(folder)
                            .orElseThrow(() ->
                                    UserError.environment(
                                            ("--channel %s: another publisher writes to the queue %s in %s; end it,"
                                                            + " or give another folder.")
                                                    .formatted(
                                                            address.channel(),
                                                            folder.getFileName(),
                                                            address.folder())));
            return new QueueWriter(lock, address, folder);
        } catch (final UserError e) {
            CloseHelper.quietClose(lock);
            throw e;
        } catch (final IOException e) {
            CloseHelper.quietClose(lock);
            throw address.unusable(folder, IoReason.of(e), e);
        } catch (final UncheckedIOException e) {
            CloseHelper.quietClose(lock);
            throw address.unusable(folder, IoReason.of(e.getCause()), e);
        } catch (final RuntimeException | AssertionError | InternalError e) {
            CloseHelper.quietClose(lock);
            throw address.unusable(folder, Queues.reason(e), e);
        }
    }

    /** The ordinal that the next message gets. */
    long next() {
        return next;
    }

    /** How many bytes of an incomplete message were erased when it was opened. */
    long cutBytes() {
        return cutBytes;
    }

    /** Why the disk had no room. */
    String whyNoRoom() {
        return room.why();
    }

    /** Writes a message; returns its ordinal, or {@link #NO_ROOM}. */
    long append(final DirectBuffer buffer, final int offset, final int length) {
        return append(buffer, offset, length, 0, 0);
    }

    /** The same, with its checksum before it. */
    long appendStored(
            final DirectBuffer buffer, final int offset, final int length, final int checksum) {
        return append(buffer, offset, length, PayloadChecksum.CHECKSUM_BYTES, checksum);
    }

    private long append(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int headerBytes,
            final int header) {
        buffer.boundsCheck(offset, length);
        final long from = appender.wire().bytes().writePosition();
        if (!room.upTo(from, from + length + MARGIN_BYTES)) {
            return NO_ROOM;
        }
        try (DocumentContext document = appender.writingDocument()) {
            final Bytes<?> bytes = document.wire().bytes();
            if (headerBytes > 0) {
                bytes.writeInt(header);
            }
            // Within one mapping: the library maps a quarter of a block beyond each.
            window.wrap(bytes.addressForWrite(bytes.writePosition()), length);
            window.putBytes(0, buffer, offset, length);
            bytes.writeSkip(length);
        }
        final long ordinal = appender.lastIndexAppended();
        next = ordinal + 1;
        return ordinal;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            CloseHelper.closeAll(room, queue::close, lock);
        }
    }

    /**
     * Allocates room on the disk for a mapped file ahead of the writer (posix_fallocate(3), which
     * changes no byte). A mapped file is sparse, and the first write to a page for which the disk
     * has no room ends the process with SIGBUS. Single-threaded; allocates nothing.
     */
    private static final class DiskRoom implements AutoCloseable {
        private static final int O_RDWR = 2;
        private static final int O_CLOEXEC = 0x80000;
        private static final int EOPNOTSUPP = 95;

        /** Room allocated at once: some 20 us on ext4. */
        private static final int STEP_BYTES = 1 << 20;

        private static final MethodHandle OPEN =
                Libc.handleWithErrno(
                        "open",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
        private static final MethodHandle FALLOCATE =
                Libc.handle(
                        "posix_fallocate",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
        private static final MethodHandle CLOSE =
                Libc.handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

        private final int fd;
        private long takenUpTo;
        private int error;
        private boolean isClosed;

        /** For an existing file. */
        DiskRoom(final Path file) throws IOException {
            final Errno errno = new Errno();
            try (Arena arena = Arena.ofConfined()) {
                fd =
                        (int)
                                OPEN.invokeExact(
                                        errno.segment(),
                                        arena.allocateFrom(file.toString()),
                                        O_RDWR | O_CLOEXEC);
            } catch (final Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
            if (fd < 0) {
                throw new IOException(Libc.errorText(errno.value()));
            }
        }

        /**
         * Allocates room up to a position, starting at the given one; false where there is none.
         */
        boolean upTo(final long from, final long to) {
            if (to <= takenUpTo) {
                return true;
            }
            final long start = Math.max(from, takenUpTo);
            final int result = allocate(start, to + STEP_BYTES - start);
            if (result == EOPNOTSUPP || result == Errno.EINVAL) {
                takenUpTo = Long.MAX_VALUE; // a file system without preallocation
                return true;
            }
            error = result == Errno.EINTR ? error : result;
            if (result == 0) {
                takenUpTo = to + STEP_BYTES;
            }
            return result == 0;
        }

        private int allocate(final long offset, final long length) {
            try {
                return (int) FALLOCATE.invokeExact(fd, offset, length);
            } catch (final Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
        }

        /** Why there was none. */
        String why() {
            return Libc.errorText(error);
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                try {
                    final int _ = (int) CLOSE.invokeExact(fd);
                } catch (final Throwable thrown) {
                    throw Libc.unexpected(thrown);
                }
            }
        }
    }
}
