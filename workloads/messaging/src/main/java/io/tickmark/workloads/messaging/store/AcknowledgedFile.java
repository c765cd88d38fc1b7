package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a store has acknowledged, in a mapped file that outlives the roles that write it: a killed
 * publisher cannot withdraw them. For each topic three numbers, little-endian int64: how many
 * measured messages the store has called stable, how many a receiver has acknowledged, and the
 * ordinal behind the last message that it has acknowledged. Before those, a number that is not 0
 * once the publisher has given its store up. Each cell has one writer; allocates nothing once open.
 */
final class AcknowledgedFile implements AutoCloseable {
    private static final int BYTES_PER_TOPIC = 3 * Long.BYTES;

    private final MappedByteBuffer cells;

    private AcknowledgedFile(final MappedByteBuffer cells) {
        this.cells = cells;
        cells.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Creates the file for topics 1 to {@code topics}, filled with zeroes. */
    static AcknowledgedFile create(final Path path, final int topics) {
        try {
            Files.deleteIfExists(path);
            try (FileChannel file =
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE)) {
                // Written, not only extended, so that its room is allocated even if the disk is
                // full later.
                final int bytes = BYTES_PER_TOPIC * (topics + 1);
                file.write(ByteBuffer.allocate(bytes));
                return new AcknowledgedFile(file.map(FileChannel.MapMode.READ_WRITE, 0, bytes));
            }
        } catch (final IOException e) {
            throw UserError.environment(
                    "The file "
                            + path
                            + " cannot be written ("
                            + IoReason.of(e)
                            + "); name another --store-directory.",
                    e);
        }
    }

    /** Opens one that a store created. */
    static AcknowledgedFile open(final Path path) {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new AcknowledgedFile(file.map(FileChannel.MapMode.READ_WRITE, 0, file.size()));
        } catch (final IOException e) {
            throw UserError.environment(
                    "The store's file " + path + " cannot be opened (" + IoReason.of(e) + ").", e);
        }
    }

    void stable(final int topic, final long messages) {
        cells.putLong(topic * BYTES_PER_TOPIC, messages);
    }

    long stable(final int topic) {
        return cells.getLong(topic * BYTES_PER_TOPIC);
    }

    void received(final int topic, final long messages, final long nextOrdinal) {
        cells.putLong(topic * BYTES_PER_TOPIC + Long.BYTES, messages);
        cells.putLong(topic * BYTES_PER_TOPIC + 2 * Long.BYTES, nextOrdinal);
    }

    long received(final int topic) {
        return cells.getLong(topic * BYTES_PER_TOPIC + Long.BYTES);
    }

    long nextOrdinal(final int topic) {
        return cells.getLong(topic * BYTES_PER_TOPIC + 2 * Long.BYTES);
    }

    /** Nothing more is to be expected of the publisher, not even its end. */
    void giveUp() {
        cells.putLong(0, 1);
    }

    boolean isGivenUp() {
        return cells.getLong(0) != 0;
    }

    /** The mapping is released with the object. */
    @Override
    public void close() {
        cells.force();
    }
}
