package io.tickmark.engines.chronicle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Allocates room on the disk for a mapped file ahead of the writer (posix_fallocate(3), which
 * changes no byte). A mapped file is sparse, and the first write to a page for which the disk has
 * no room ends the process with SIGBUS. Single-threaded; allocates nothing.
 */
final class DiskRoom implements AutoCloseable {
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

    /** Allocates room up to a position, starting at the given one; false where there is none. */
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
