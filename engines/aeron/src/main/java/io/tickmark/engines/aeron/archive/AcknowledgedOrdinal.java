package io.tickmark.engines.aeron.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The highest ordinal of a topic that its receiver has acknowledged, in a mapped file: the store
 * reads it, even after the receiver is gone. Contains the ordinal plus one, so that 0 means none.
 */
final class AcknowledgedOrdinal {
    private final MappedByteBuffer cell;
    private long highest;

    AcknowledgedOrdinal(final Path path) {
        try (FileChannel file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            cell = file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
            cell.order(ByteOrder.LITTLE_ENDIAN);
            highest = cell.getLong(0) - 1;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void acknowledge(final long ordinal) {
        if (ordinal > highest) {
            highest = ordinal;
            cell.putLong(0, ordinal + 1);
        }
    }

    /** The highest one of a topic, -1 for none. */
    static long read(final Path path) {
        try {
            return Files.exists(path) && Files.size(path) >= Long.BYTES
                    ? ByteBuffer.wrap(Files.readAllBytes(path))
                                    .order(ByteOrder.LITTLE_ENDIAN)
                                    .getLong()
                            - 1
                    : -1;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
