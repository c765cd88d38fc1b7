package io.tickmark.engines.aeron.archive;

import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalInt;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The frames of one segment file, as Aeron's archive lays them out: consecutive data frames, the
 * checksum of the aligned payload in place of the session id, zeroes after the last. The reserved
 * value contains our ordinal. Single-threaded.
 */
public final class SegmentFile {
    /** What is at an offset. */
    public enum Frame {
        /** A message. */
        DATA,
        /** The rest of a term. */
        PADDING,
        /** A whole frame whose checksum is wrong. */
        CORRUPTED,
        /** The beginning of a frame. */
        TORN,
        /** Nothing more. */
        END
    }

    private static final int HEADER = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int VERSION = 0;
    private static final int PAD = 0;
    private static final int DATA = 1;

    /** A large part of a file for each read, and more than the longest frame. */
    private static final int WINDOW_BYTES = 1 << 20;

    private final Path path;
    private final int length;
    private final ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES);
    private final UnsafeBuffer buffer = new UnsafeBuffer(window);
    private final boolean crc;
    private final Checksum checksum = Checksums.crc32c();
    private int windowStart;
    private int windowEnd;
    private int offset;
    private int next;

    SegmentFile(final Path path, final boolean crc) {
        this.path = path;
        this.crc = crc;
        try {
            length = (int) Files.size(path);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Loads bytes of the file into the window, and returns where. Read and not mapped: on a full
     * disk in memory a hole of a file cannot be mapped.
     */
    private int at(final int position, final int bytes) {
        if (position < windowStart || position + bytes > windowEnd) {
            load(position);
        }
        return position - windowStart;
    }

    private void load(final int position) {
        windowStart = position;
        window.clear();
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            int read = 0;
            while (window.hasRemaining() && read >= 0) {
                read = file.read(window, position + (long) window.position());
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        windowEnd = position + window.position();
        buffer.setMemory(window.position(), window.remaining(), (byte) 0);
    }

    /** Skips the hole before a recording that began within its first segment. */
    void skipHole() {
        while (next < length && length(next) == 0) {
            next += HEADER;
        }
        if (next >= length) {
            next = 0;
        }
    }

    /** Discards what was read ahead, where the file is still written to. */
    public void refresh() {
        windowEnd = windowStart;
    }

    /**
     * Whether nothing fits after the last frame.
     *
     * @return true once the file is full and read
     */
    public boolean isAtEnd() {
        return next + HEADER > length;
    }

    /**
     * Takes the next frame; its message is then at {@link #messageOffset()}.
     *
     * @return what is there; after {@link Frame#END} and {@link Frame#TORN} it may be called again
     */
    public Frame advance() {
        offset = next;
        if (offset + HEADER > length || length(offset) == 0) {
            return Frame.END;
        }
        final int frame = length(offset);
        final int aligned = BitUtil.align(frame, HEADER);
        if (!isHeader(offset, frame)) {
            return Frame.TORN;
        }
        next = offset + aligned;
        if (type(offset) == PAD) {
            return Frame.PADDING;
        }
        if (isIntact(offset, aligned)) {
            return Frame.DATA;
        }
        final boolean isFollowed =
                next + HEADER <= length && length(next) > 0 && isHeader(next, length(next));
        if (isFollowed || next == length) {
            return Frame.CORRUPTED;
        }
        next = offset;
        return Frame.TORN;
    }

    private boolean isIntact(final int position, final int aligned) {
        if (!crc) {
            return true;
        }
        final int payload = at(position, aligned) + HEADER;
        return checksum.compute(buffer.addressOffset(), payload, aligned - HEADER)
                == int32(position + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET);
    }

    /** The rest of a term may be longer than a message; it is skipped, not read. */
    private boolean isHeader(final int position, final int frame) {
        final int type = type(position);
        return frame >= HEADER
                && (type == PAD
                        || type == DATA && frame <= ArchiveTransport.MAX_MESSAGE_BYTES + HEADER)
                && (long) position + BitUtil.align(frame, HEADER) <= length
                && buffer.getByte(at(position, HEADER) + DataHeaderFlyweight.VERSION_FIELD_OFFSET)
                        == VERSION;
    }

    private int type(final int position) {
        return buffer.getShort(
                        at(position, HEADER) + DataHeaderFlyweight.TYPE_FIELD_OFFSET,
                        ByteOrder.LITTLE_ENDIAN)
                & 0xffff;
    }

    private int length(final int position) {
        return int32(position);
    }

    private int int32(final int position) {
        return buffer.getInt(at(position, Integer.BYTES), ByteOrder.LITTLE_ENDIAN);
    }

    long ordinal() {
        return buffer.getLong(
                at(offset, HEADER) + DataHeaderFlyweight.RESERVED_VALUE_OFFSET,
                ByteOrder.LITTLE_ENDIAN);
    }

    int streamId() {
        return int32(offset + DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET);
    }

    /**
     * The buffer with the message of the frame.
     *
     * @return the buffer, until the next frame is taken
     */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /**
     * Where the message is.
     *
     * @return offset in {@link #buffer()}, until the next frame is taken
     */
    public int messageOffset() {
        return at(offset, HEADER + messageLength()) + HEADER;
    }

    /**
     * How long the message is.
     *
     * @return bytes
     */
    public int messageLength() {
        return length(offset) - HEADER;
    }

    /**
     * Where the frame that was taken last begins.
     *
     * @return offset in the file
     */
    public int offset() {
        return offset;
    }

    /**
     * Bytes from the frame taken last to the last one that is not zero.
     *
     * @return the count
     */
    public long bytesLeft() {
        int end = offset;
        for (int position = offset; position < length; position++) {
            if (buffer.getByte(at(position, 1)) != 0) {
                end = position + 1;
            }
        }
        return end - offset;
    }

    /**
     * Where there is a whole message after the frame taken last, which was torn: a crash leaves
     * none, damage does. It is recognised by its position, which its header states, and its
     * checksum.
     */
    OptionalInt wholeBehind() {
        for (int position = offset + HEADER; position + HEADER <= length; position += HEADER) {
            final int frame = length(position);
            if (frame > 0
                    && isHeader(position, frame)
                    && type(position) == DATA
                    && isTermOffset(position)
                    && isIntact(position, BitUtil.align(frame, HEADER))) {
                return OptionalInt.of(position);
            }
        }
        return OptionalInt.empty();
    }

    /** A segment begins with a term, whose length is at least the shortest that Aeron has. */
    private boolean isTermOffset(final int position) {
        final int termOffset = int32(position + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET);
        return termOffset >= 0
                && termOffset <= position
                && (position - termOffset) % LogBufferDescriptor.TERM_MIN_LENGTH == 0;
    }

    /** Overwrites everything from an offset on with zeroes. */
    static void cut(final Path path, final int from, final long bytes) {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            final ByteBuffer zeros = ByteBuffer.allocate((int) bytes);
            while (zeros.hasRemaining()) {
                file.write(zeros, from + zeros.position());
            }
            file.force(true);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
