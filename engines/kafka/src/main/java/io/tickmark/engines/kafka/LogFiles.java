package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.SegmentFiles;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
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
final class LogFiles extends SegmentFiles {
    private static final int LENGTH_AT = 8;
    private static final int BEFORE_LENGTH_COUNTS = 12;
    private static final int CRC_AT = 17;
    private static final int CRC_FROM = 21;
    private static final int COUNT_AT = 57;
    private static final int HEADER_BYTES = 61;

    /** Brokers let a segment grow to a gigabyte, more than the heap of the role that checks it. */
    private static final int READ_BYTES = 1 << 20;

    private final Path partition;

    /** Of a topic's single partition in a broker's data directory. */
    LogFiles(final Path data, final String topic) {
        super(".log");
        partition = data.resolve(topic + "-0");
    }

    @Override
    protected Path folder() {
        return partition;
    }

    @Override
    protected long scan(final Path segment, final Found found) throws IOException {
        return found.countsOnly() ? count(segment, found) : read(segment, found);
    }

    private static long count(final Path segment, final Found found) throws IOException {
        final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        final CRC32C crc = new CRC32C();
        long left = Files.size(segment);
        try (DataInputStream in =
                new DataInputStream(
                        new CheckedInputStream(
                                new BufferedInputStream(Files.newInputStream(segment), READ_BYTES),
                                crc))) {
            while (left >= HEADER_BYTES) {
                in.readFully(header.array());
                final long length = (long) header.getInt(LENGTH_AT) + BEFORE_LENGTH_COUNTS;
                if (length < HEADER_BYTES || length > left) {
                    break;
                }
                crc.reset();
                crc.update(header.array(), CRC_FROM, HEADER_BYTES - CRC_FROM);
                in.skipNBytes(length - HEADER_BYTES);
                if ((int) crc.getValue() == header.getInt(CRC_AT)) {
                    found.whole(header.getInt(COUNT_AT));
                } else {
                    found.damaged(Math.max(1, header.getInt(COUNT_AT)));
                }
                left -= length;
            }
        }
        return left;
    }

    /** By Kafka's own reader; the records of a segment that it finds broken end there. */
    private static long read(final Path segment, final Found found) throws IOException {
        try (FileRecords records = FileRecords.open(segment.toFile(), false)) {
            for (final FileChannelRecordBatch batch : records.batches()) {
                if (!batch.isValid()) {
                    continue;
                }
                for (final Record record : batch) {
                    found.message(record.offset(), record.value());
                }
            }
        } catch (final CorruptRecordException e) {
            // What is torn is counted where messages are only counted.
        }
        return 0;
    }
}
