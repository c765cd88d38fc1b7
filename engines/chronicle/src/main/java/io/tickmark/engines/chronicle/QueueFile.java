package io.tickmark.engines.chronicle;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The file of a queue, read by ourselves. It is a sequence of documents, each at a multiple of four
 * bytes (Chronicle Wire, "Size-prefixed blob"): a header, int32 little-endian, with the length in
 * its low 30 bits, then that many bytes. Bit 30 marks the engine's own documents (its settings, its
 * index), bit 31 incomplete ones; 0 is the end. Our queues have one file, as their clock does not
 * advance: see {@link QueueWriter}. Any thread.
 */
final class QueueFile {
    /** The file of the queue's messages; cycle 0 of a day's length. */
    static final String DATA = "19700101F.cq4";

    /** All files of a queue. */
    static final Set<String> NAMES = Set.of(DATA, "metadata.cq4t");

    private static final int HEADER_BYTES = Integer.BYTES;
    private static final int INCOMPLETE = 1 << 31;
    private static final int OWN = 1 << 30;
    private static final int LENGTH_MASK = OWN - 1;

    /** The longest document: a message; pages of the index are shorter. */
    private static final int MOST_DOCUMENT_BYTES =
            PayloadChecksum.CHECKSUM_BYTES + QueueWriter.MAX_PAYLOAD_BYTES;

    /**
     * The furthest that a writer gets beyond the last whole document: a message and pages of the
     * index.
     */
    private static final int MOST_TORN_BYTES = QueueWriter.MAX_PAYLOAD_BYTES + (128 << 10);

    private final Path file;

    /** Of a queue. */
    QueueFile(final Path queue) {
        file = queue.resolve(DATA);
    }

    /** Counts the messages that a store's publication has written; none where there is no file. */
    Verification verify() {
        final Walk found = new Walk(Long.MAX_VALUE, null);
        walkIfThere(found);
        return new Verification(found.messages, found.tornBytes, found.corrupted);
    }

    /**
     * Passes on the complete messages that a store's publication has written.
     *
     * @return how many
     * @throws UncheckedIOException if the file cannot be read or is not there, which does not show
     *     that nothing was stored
     */
    long read(final long fromOrdinal, final MessageHandler handler) {
        final Walk found = new Walk(fromOrdinal, handler);
        walk(found);
        return found.handed;
    }

    /** Erases what a crash has left after the last whole document; returns how many bytes. */
    long cutTornTail() {
        final Walk found = new Walk(Long.MAX_VALUE, null);
        walkIfThere(found);
        if (found.tornBytes > 0) {
            final ByteBuffer zeros = ByteBuffer.allocate((int) found.tornBytes);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                while (zeros.hasRemaining()) {
                    channel.write(zeros, found.end + zeros.position());
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found.tornBytes;
    }

    private void walkIfThere(final Walk walk) {
        if (Files.exists(file)) {
            walk(walk);
        }
    }

    private void walk(final Walk walk) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            walk.through(new Window(channel));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A part of the file at a time. It is not mapped: on a full disk even reading a page that was
     * never written can end the process.
     */
    private static final class Window {
        private static final int BYTES = 4 << 20;

        private final FileChannel channel;
        private final ByteBuffer bytes =
                ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        private long start;

        Window(final FileChannel channel) {
            this.channel = channel;
            bytes.limit(0);
        }

        /**
         * Where a position is in the buffer; less than {@code length} is available only at the end.
         */
        int at(final long position, final int length) throws IOException {
            if (position < start || position + length > start + bytes.limit()) {
                start = position;
                bytes.clear();
                while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) > 0) {}
                bytes.flip();
            }
            return (int) (position - start);
        }

        /** Bytes from a position on, up to a number. */
        int left(final long position, final int most) throws IOException {
            final int from = at(position, most);
            return Math.min(most, bytes.limit() - from);
        }
    }

    /** The result over all documents. */
    private static final class Walk {
        private final long fromOrdinal;
        private final MessageHandler handler;
        private final PayloadChecksum checksum = new PayloadChecksum();
        private final UnsafeBuffer document = new UnsafeBuffer(0, 0);
        private long ordinal;
        private long messages;
        private long corrupted;
        private long handed;
        private long end;
        private long tornBytes;

        Walk(final long fromOrdinal, final MessageHandler handler) {
            this.fromOrdinal = fromOrdinal;
            this.handler = handler;
        }

        void through(final Window window) throws IOException {
            int header = header(window);
            while (header != 0 && (header & INCOMPLETE) == 0) {
                final int length = header & LENGTH_MASK;
                if (length > MOST_DOCUMENT_BYTES
                        || window.left(end + HEADER_BYTES, length) < length) {
                    corrupted++;
                    return; // the length itself is damaged, and the following documents cannot be
                    // found
                }
                if ((header & OWN) == 0) {
                    document.wrap(window.buffer, window.at(end + HEADER_BYTES, length), length);
                    onMessage(length);
                }
                end += (HEADER_BYTES + length + 3) & -4;
                header = header(window);
            }
            tornBytes = window.left(end, MOST_TORN_BYTES);
            final int from = window.at(end, (int) tornBytes);
            while (tornBytes > 0 && window.bytes.get(from + (int) tornBytes - 1) == 0) {
                tornBytes--;
            }
        }

        private int header(final Window window) throws IOException {
            return window.left(end, HEADER_BYTES) < HEADER_BYTES
                    ? 0
                    : window.bytes.getInt(window.at(end, HEADER_BYTES));
        }

        private void onMessage(final int length) {
            if (!checksum.isWhole(document, length)) {
                corrupted++;
            } else {
                messages++;
                if (ordinal >= fromOrdinal) {
                    handler.onMessage(
                            document,
                            PayloadChecksum.CHECKSUM_BYTES,
                            length - PayloadChecksum.CHECKSUM_BYTES);
                    handed++;
                }
            }
            ordinal++;
        }
    }
}
