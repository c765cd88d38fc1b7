package io.tickmark.engines.kafka;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * One segment file, read through a window: brokers let it grow to a gigabyte, which is more than
 * the heap of the role that reads it back. Big-endian. One thread.
 */
final class LogSegment implements AutoCloseable {
    private static final int WINDOW_BYTES = 1 << 20;

    private final FileChannel file;
    private final long length;
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    private long windowStart;

    private LogSegment(final FileChannel file, final long length) {
        this.file = file;
        this.length = length;
        window.limit(0);
    }

    static LogSegment open(final Path path) throws IOException {
        final FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        return new LogSegment(file, file.size());
    }

    /** As it was when opened. */
    long length() {
        return length;
    }

    int int32(final long position) throws IOException {
        return window.getInt(at(position, Integer.BYTES));
    }

    /** Of the bytes between two positions. */
    int crc32c(final long from, final long to) throws IOException {
        final CRC32C crc = new CRC32C();
        long position = from;
        while (position < to) {
            final int piece = (int) Math.min(WINDOW_BYTES, to - position);
            crc.update(window.array(), at(position, piece), piece);
            position += piece;
        }
        return (int) crc.getValue();
    }

    /** Makes bytes of the file stand in the window, and says where; no more than it holds. */
    private int at(final long position, final int bytes) throws IOException {
        if (position < windowStart || position + bytes > windowStart + window.limit()) {
            load(position);
            if (window.limit() < bytes) {
                throw new EOFException("a segment got shorter while it was read");
            }
        }
        return (int) (position - windowStart);
    }

    private void load(final long position) throws IOException {
        window.clear();
        int read = 0;
        while (window.hasRemaining() && read >= 0) {
            read = file.read(window, position + window.position());
        }
        window.flip();
        windowStart = position;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
