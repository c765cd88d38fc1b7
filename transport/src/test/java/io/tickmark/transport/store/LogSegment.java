package io.tickmark.transport.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * One file of a log: records of length (int32), CRC32C (int32) and message, big-endian, one after
 * the other.
 *
 * @param path of the file
 * @param firstOrdinal of its first record
 * @param messages in order, empty where a checksum is wrong
 * @param tornBytes after the last whole record
 * @param corrupted records with a wrong checksum
 */
record LogSegment(
        Path path, long firstOrdinal, List<byte[]> messages, long tornBytes, long corrupted) {
    static final int MAX_MESSAGE_BYTES = 64 << 10;
    private static final int HEADER_BYTES = 8;
    private static final byte[] CORRUPTED = {};
    private static final String SUFFIX = ".log";

    static Path path(final Path directory, final String topic, final long firstOrdinal) {
        return directory.resolve(topic + "-%019d".formatted(firstOrdinal) + SUFFIX);
    }

    /** All segments of a topic, oldest first. */
    static List<LogSegment> all(final Path directory, final String topic) throws IOException {
        final List<LogSegment> found = new ArrayList<>();
        try (var paths = Files.newDirectoryStream(directory, topic + "-*" + SUFFIX)) {
            for (final Path path : paths) {
                found.add(scan(path, topic));
            }
        }
        found.sort(java.util.Comparator.comparingLong(LogSegment::firstOrdinal));
        return found;
    }

    private static LogSegment scan(final Path path, final String topic) throws IOException {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
        final List<byte[]> messages = new ArrayList<>();
        long corrupted = 0;
        while (hasWholeRecord(bytes)) {
            final byte[] message = new byte[bytes.getInt()];
            final int checksum = bytes.getInt();
            bytes.get(message);
            final boolean intact = checksum == checksum(message);
            corrupted += intact ? 0 : 1;
            messages.add(intact ? message : CORRUPTED);
        }
        final String name = path.getFileName().toString();
        final long first =
                Long.parseLong(name.substring(topic.length() + 1, name.length() - SUFFIX.length()));
        return new LogSegment(path, first, messages, bytes.remaining(), corrupted);
    }

    private static boolean hasWholeRecord(final ByteBuffer bytes) {
        if (bytes.remaining() < HEADER_BYTES) {
            return false;
        }
        final int length = bytes.getInt(bytes.position());
        return length > 0
                && length <= MAX_MESSAGE_BYTES
                && length <= bytes.remaining() - HEADER_BYTES;
    }

    /** Whether a message is empty because its bytes were corrupted. */
    static boolean isCorrupted(final byte[] message) {
        return message == CORRUPTED;
    }

    /** Adds messages at the end of a file and waits until they are on the disk. */
    static void append(final Path path, final List<byte[]> messages) throws IOException {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (final byte[] message : messages) {
                final ByteBuffer record = ByteBuffer.allocate(HEADER_BYTES + message.length);
                record.putInt(message.length).putInt(checksum(message)).put(message).flip();
                while (record.hasRemaining()) {
                    file.write(record);
                }
            }
            file.force(true);
        }
    }

    /** Cuts an incomplete record off. */
    void cutTornTail() throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            file.truncate(file.size() - tornBytes);
            file.force(true);
        }
    }

    private static int checksum(final byte[] message) {
        final CRC32C crc = new CRC32C();
        crc.update(message);
        return (int) crc.getValue();
    }
}
