package io.tickmark.kernel.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/** How many small writes a second a disk can persist: fdatasync after each. */
public final class SyncedWrites {
    private static final int RECORD_BYTES = 4096;
    private static final int MOST_WRITES = 100_000;
    private static final int RECORDS_OF_FILE = 1024;

    private SyncedWrites() {}

    /**
     * Measures; writes a file of 4 MiB at most over and over and deletes it.
     *
     * @param folder on the disk in question; must exist
     * @param durationNs how long, about
     * @param clock monotonic
     * @return writes a second; empty where the folder cannot be written
     */
    public static OptionalDouble perSecond(
            final Path folder, final long durationNs, final NanoClock clock) {
        try {
            final Path file = Files.createTempFile(folder, "synced-writes", ".tmp");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                return OptionalDouble.of(measure(channel, durationNs, clock));
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (final IOException | SecurityException e) {
            return OptionalDouble.empty();
        }
    }

    private static double measure(
            final FileChannel channel, final long durationNs, final NanoClock clock)
            throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(RECORD_BYTES);
        final long startNs = clock.nanoTime();
        long nowNs = startNs;
        int writes = 0;
        while (writes < MOST_WRITES && nowNs - startNs < durationNs) {
            bytes.clear();
            channel.write(bytes, (long) (writes % RECORDS_OF_FILE) * RECORD_BYTES);
            channel.force(false);
            writes++;
            nowNs = clock.nanoTime();
        }
        return writes * (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, nowNs - startNs);
    }
}
