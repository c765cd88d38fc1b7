package io.tickmark.wire.file;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A file, read piece by piece into one buffer that the processor's cache holds: the memory of the
 * process does not grow with the file, and the decoder finds the bytes in the cache. Copying them
 * costs less than the page faults and cache misses of a mapping, and a file that is cut meanwhile
 * is an error and not a signal. Single-threaded.
 */
final class FileWindow implements AutoCloseable {
    /** A part of a processor's second cache, many packets long. */
    static final int WINDOW_BYTES = 1 << 18;

    private final FileChannel channel;
    private final long size;
    private final UnsafeBuffer buffer = new UnsafeBuffer();
    private ByteBuffer bytes;
    private long begin;

    FileWindow(final Path file, final int windowBytes) throws IOException {
        bytes = ByteBuffer.allocateDirect(windowBytes).limit(0);
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
        if (offset >= 0 && offset + length <= buffer.capacity()) {
            return (int) offset;
        }
        move(position, length);
        return 0;
    }

    private void move(final long position, final int length) {
        if (position + length > size) {
            throw new IllegalArgumentException(
                    "bytes %d to %d of %d".formatted(position, position + length, size));
        }
        if (length > bytes.capacity()) {
            bytes = ByteBuffer.allocateDirect(length);
        }
        bytes.clear();
        begin = position;
        try {
            while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) > 0) {
                // more may follow
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        if (bytes.position() < length) {
            throw new UncheckedIOException(new EOFException("became shorter while it was read"));
        }
        buffer.wrap(bytes, 0, bytes.position());
    }

    int getInt(final long position, final ByteOrder order) {
        final int offset = at(position, Integer.BYTES);
        return buffer.getInt(offset, order);
    }

    @Override
    public void close() {
        buffer.wrap(0, 0);
        try {
            channel.close();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
