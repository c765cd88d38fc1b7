package io.tickmark.wire.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A file, mapped piece by piece: only one window of it is in the address space at a time, so that
 * the memory of the process does not grow with the file. Single thread.
 */
final class FileWindow implements AutoCloseable {
    /** Long enough that a move costs nothing against reading it, short against any memory. */
    static final int WINDOW_BYTES = 1 << 26;

    private final FileChannel channel;
    private final long size;
    private final int windowBytes;
    private final UnsafeBuffer buffer = new UnsafeBuffer();
    private Arena arena;
    private long begin;

    FileWindow(final Path file, final int windowBytes) throws IOException {
        this.windowBytes = windowBytes;
        channel = FileChannel.open(file, StandardOpenOption.READ);
        size = channel.size();
    }

    /** Length of the file when it was opened. */
    long size() {
        return size;
    }

    /** The bytes that the last {@link #at} made readable. */
    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Makes bytes of the file readable; the offset of the first in {@link #buffer()}. */
    int at(final long position, final int length) {
        final long offset = position - begin;
        if (arena != null && offset >= 0 && offset + length <= buffer.capacity()) {
            return (int) offset;
        }
        move(position, length);
        return 0;
    }

    private void move(final long position, final int length) {
        if (position + length > size || length > windowBytes) {
            throw new IllegalArgumentException(
                    "bytes %d to %d of %d".formatted(position, position + length, size));
        }
        unmap();
        arena = Arena.ofConfined();
        try {
            final long bytes = Math.min(windowBytes, size - position);
            final MemorySegment segment =
                    channel.map(FileChannel.MapMode.READ_ONLY, position, bytes, arena);
            buffer.wrap(segment.address(), (int) bytes);
            begin = position;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int getInt(final long position, final ByteOrder order) {
        final int offset = at(position, Integer.BYTES);
        return buffer.getInt(offset, order);
    }

    private void unmap() {
        if (arena != null) {
            buffer.wrap(0, 0);
            arena.close();
            arena = null;
        }
    }

    @Override
    public void close() {
        unmap();
        try {
            channel.close();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
