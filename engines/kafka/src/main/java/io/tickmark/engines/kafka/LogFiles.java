package io.tickmark.engines.kafka;

import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.broker.BrokerStoreTransport.StoredFiles;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;

/**
 * The segments in which a broker keeps a partition, read directly: batches of records, format 2
 * (Kafka's documentation, "Record Batch"). Big-endian: first offset (int64), bytes that follow
 * (int32), epoch of the leader (int32), format (int8), CRC32C of all that follows (uint32), and 36
 * bytes on the number of records (int32).
 */
final class LogFiles implements StoredFiles {
    private static final String SUFFIX = ".log";
    private static final int LENGTH_AT = 8;
    private static final int BEFORE_LENGTH_COUNTS = 12;
    private static final int CRC_AT = 17;
    private static final int CRC_FROM = 21;
    private static final int COUNT_AT = 57;
    private static final int HEADER_BYTES = 61;

    private final Path folder;

    /** Of a topic's single partition in a broker's data directory. */
    LogFiles(final Path data, final String topic) {
        folder = data.resolve(topic + "-0");
    }

    /** Reads all segments; a broker that never had the topic has none. */
    @Override
    public Verification verify() {
        if (!Files.isDirectory(folder)) {
            return Verification.EMPTY;
        }
        Verification all = Verification.EMPTY;
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (final Path segment : segments) {
                all = all.plus(verify(segment));
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /**
     * Hands over the records of whole batches from an offset on, by Kafka's own reader; those of a
     * segment that it finds broken end there.
     *
     * @return how many
     * @throws UncheckedIOException if they cannot be read or there are none, which does not show
     *     that nothing was stored
     */
    @Override
    public long read(final long fromOffset, final MessageHandler handler) {
        try (Stream<Path> found = Files.list(folder)) {
            final List<Path> segments =
                    found.filter(path -> path.toString().endsWith(SUFFIX)).sorted().toList();
            long count = 0;
            for (final Path segment : segments) {
                count += read(segment, fromOffset, handler);
            }
            return count;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long read(
            final Path segment, final long fromOffset, final MessageHandler handler)
            throws IOException {
        final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        long count = 0;
        try (FileRecords records = FileRecords.open(segment.toFile(), false)) {
            for (final FileChannelRecordBatch batch : records.batches()) {
                if (!batch.isValid()) {
                    continue;
                }
                for (final Record record : batch) {
                    if (record.offset() >= fromOffset) {
                        final ByteBuffer value = record.value();
                        buffer.wrap(value, value.position(), value.remaining());
                        handler.onMessage(buffer, 0, buffer.capacity());
                        count++;
                    }
                }
            }
        } catch (final CorruptRecordException e) {
            // What is torn is counted by the verification.
        }
        return count;
    }

    private static Verification verify(final Path path) throws IOException {
        try (LogSegment segment = LogSegment.open(path)) {
            long messages = 0;
            long corrupted = 0;
            long at = 0;
            long length = batchLength(segment, at);
            while (length > 0) {
                final int count = segment.int32(at + COUNT_AT);
                if (segment.crc32c(at + CRC_FROM, at + length) == segment.int32(at + CRC_AT)) {
                    messages += count;
                } else {
                    corrupted += Math.max(1, count);
                }
                at += length;
                length = batchLength(segment, at);
            }
            return new Verification(messages, segment.length() - at, corrupted);
        }
    }

    /** Of the whole batch there; 0 where there is none. */
    private static long batchLength(final LogSegment segment, final long at) throws IOException {
        final long left = segment.length() - at;
        if (left < HEADER_BYTES) {
            return 0;
        }
        final long length = (long) segment.int32(at + LENGTH_AT) + BEFORE_LENGTH_COUNTS;
        return length >= HEADER_BYTES && length <= left ? length : 0;
    }

    /**
     * One segment file, read through a window: brokers let it grow to a gigabyte, which exceeds the
     * heap of the role that reads it back. Big-endian. Single-threaded.
     */
    private static final class LogSegment implements AutoCloseable {
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

        /** Loads bytes of the file into the window, and returns where; no more than its size. */
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
}
