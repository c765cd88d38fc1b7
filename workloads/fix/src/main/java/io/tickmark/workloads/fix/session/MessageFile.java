package io.tickmark.workloads.fix.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.collections.Long2LongHashMap;

/**
 * Messages in a file, one after the other: number (8 bytes), length (4), message. A torn last one
 * is cut off when it is opened. Single thread.
 */
final class MessageFile implements AutoCloseable {
    static final int ENTRY_HEADER_BYTES = 12;

    private final FileChannel channel;
    private final Long2LongHashMap positions = new Long2LongHashMap(-1);
    private ByteBuffer entry = ByteBuffer.allocateDirect(1 << 12);
    private long size;
    private long oldest = Long.MAX_VALUE;

    MessageFile(final Path file) throws IOException {
        channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        index();
    }

    private void index() throws IOException {
        final long end = channel.size();
        final ByteBuffer header = ByteBuffer.allocate(ENTRY_HEADER_BYTES);
        long at = 0;
        while (end - at > ENTRY_HEADER_BYTES) {
            header.clear();
            channel.read(header, at);
            final int length = header.getInt(Long.BYTES);
            if (header.hasRemaining() || length <= 0 || length > end - at - ENTRY_HEADER_BYTES) {
                break;
            }
            keep(header.getLong(0), at);
            at += ENTRY_HEADER_BYTES + length;
        }
        channel.truncate(at);
        size = at;
    }

    private void keep(final long number, final long at) {
        positions.put(number, at);
        oldest = Math.min(oldest, number);
    }

    void append(final long number, final byte[] bytes, final int offset, final int length)
            throws IOException {
        final int needed = ENTRY_HEADER_BYTES + length;
        if (entry.capacity() < needed) {
            entry = ByteBuffer.allocateDirect(2 * needed);
        }
        entry.clear().putLong(number).putInt(length).put(bytes, offset, length).flip();
        final long at = size;
        while (entry.hasRemaining()) {
            size += channel.write(entry, size);
        }
        keep(number, at);
    }

    /** The message's length; 0 where it is not here, or does not fit. */
    int read(final long number, final byte[] into) throws IOException {
        final long at = positions.get(number);
        if (at < 0) {
            return 0;
        }
        final ByteBuffer header = ByteBuffer.allocate(ENTRY_HEADER_BYTES);
        channel.read(header, at);
        final int length = header.getInt(Long.BYTES);
        if (length > into.length) {
            return 0;
        }
        final ByteBuffer message = ByteBuffer.wrap(into, 0, length);
        while (message.hasRemaining()) {
            if (channel.read(message, at + ENTRY_HEADER_BYTES + message.position()) < 0) {
                return 0;
            }
        }
        return length;
    }

    void clear() throws IOException {
        channel.truncate(0);
        positions.clear();
        oldest = Long.MAX_VALUE;
        size = 0;
    }

    /** Bytes in it. */
    long size() {
        return size;
    }

    /** What its index takes, about. */
    long memoryBytes() {
        return 2L * Long.BYTES * positions.capacity() + entry.capacity();
    }

    /** The smallest number in it, {@link Long#MAX_VALUE} where it is empty. */
    long oldest() {
        return oldest;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
