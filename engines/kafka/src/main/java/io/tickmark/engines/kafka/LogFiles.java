package io.tickmark.engines.kafka;

import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The segments in which a broker keeps a partition, read by ourselves: batches of records, format 2
 * (Kafka's documentation, "Record Batch"). Big-endian: first offset (int64), bytes that follow
 * (int32), epoch of the leader (int32), format (int8), CRC32C of all that follows (uint32), and 36
 * bytes on the number of records (int32).
 */
final class LogFiles {
    private static final String SUFFIX = ".log";
    private static final int LENGTH_AT = 8;
    private static final int BEFORE_LENGTH_COUNTS = 12;
    private static final int CRC_AT = 17;
    private static final int CRC_FROM = 21;
    private static final int COUNT_AT = 57;
    private static final int HEADER_BYTES = 61;

    private final Path folder;

    /** Of a topic's one partition in a broker's data directory. */
    LogFiles(final Path data, final String topic) {
        folder = data.resolve(topic + "-0");
    }

    /** Reads all segments; without any, nothing is there. */
    Verification verify() {
        long messages = 0;
        long torn = 0;
        long corrupted = 0;
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (final Path segment : segments) {
                final Verification found = verify(Files.readAllBytes(segment));
                messages += found.messages();
                torn += found.tornBytes();
                corrupted += found.corrupted();
            }
        } catch (final NoSuchFileException e) {
            return new Verification(0, 0, 0);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Verification(messages, torn, corrupted);
    }

    private static Verification verify(final byte[] bytes) {
        final ByteBuffer batches = ByteBuffer.wrap(bytes);
        long messages = 0;
        long corrupted = 0;
        int at = 0;
        int length = batchLength(batches, at);
        while (length > 0) {
            final int count = batches.getInt(at + COUNT_AT);
            final CRC32C crc = new CRC32C();
            crc.update(bytes, at + CRC_FROM, length - CRC_FROM);
            if ((int) crc.getValue() == batches.getInt(at + CRC_AT)) {
                messages += count;
            } else {
                corrupted += Math.max(1, count);
            }
            at += length;
            length = batchLength(batches, at);
        }
        return new Verification(messages, bytes.length - at, corrupted);
    }

    /** Of the whole batch there; 0 where there is none. */
    private static int batchLength(final ByteBuffer batches, final int at) {
        final int left = batches.capacity() - at;
        if (left < HEADER_BYTES) {
            return 0;
        }
        final long length = (long) batches.getInt(at + LENGTH_AT) + BEFORE_LENGTH_COUNTS;
        return length >= HEADER_BYTES && length <= left ? (int) length : 0;
    }
}
