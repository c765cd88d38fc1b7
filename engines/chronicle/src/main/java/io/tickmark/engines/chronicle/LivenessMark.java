package io.tickmark.engines.chronicle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A number in a mapped file of a store's folder, by which publications and subscriptions in other
 * processes see whether it runs: odd while it does, and different after each start. Reading it is
 * one load from memory. Any thread; one store writes.
 */
final class LivenessMark implements AutoCloseable {
    private static final String NAME = "store.life";

    private final UnsafeBuffer number;

    /** Opens the mark of a store, and creates it where permitted. */
    LivenessMark(final Path folder, final boolean isMade) throws IOException {
        final Path file = folder.resolve(NAME);
        try (FileChannel channel =
                isMade
                        ? FileChannel.open(
                                file,
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE)
                        : FileChannel.open(
                                file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            number = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES));
        }
    }

    /** Whether a folder is that of a store. */
    static boolean isIn(final Path folder) {
        return Files.exists(folder.resolve(NAME));
    }

    long current() {
        return number.getLongVolatile(0);
    }

    /** Whether the store is alive, since the start that this number belongs to. */
    boolean isStill(final long life) {
        return (life & 1) == 1 && current() == life;
    }

    /** Marks a new start, also after one whose process was killed. */
    void begin() {
        number.putLongVolatile(0, (current() + 1) | 1);
    }

    void end() {
        number.putLongVolatile(0, (current() + 1) & -2);
    }

    /** Unmaps it; must not be read afterwards. */
    @Override
    public void close() {
        IoUtil.unmap((java.nio.MappedByteBuffer) number.byteBuffer());
    }
}
