package io.tickmark.transport.shm;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;

/**
 * Sees to it that processes which end without closing leave nothing behind: an orderly exit deletes
 * their files, and after a kill the next binding side in the folder does, where the name was chosen
 * by the machine and nobody will come back to it. Any thread, never hot.
 */
final class ShmLeftovers {
    private static final String CHOSEN_NAMES =
            ShmAddress.PREFIX + ShmAddress.CHOSEN + "*" + ShmAddress.SUFFIX;

    /** A process of another container seems dead from here: its heartbeat has to be old too. */
    private static final long ABANDONED_NS = TimeUnit.SECONDS.toNanos(60);

    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(ShmLeftovers::deleteOpen, "tickmark-shm-exit"));
    }

    private ShmLeftovers() {}

    private static void deleteOpen() {
        for (final Path path : OPEN) {
            path.toFile().delete();
        }
    }

    /** Deletes a file at an orderly exit of this process, unless it is forgotten first. */
    static void deleteAtExit(final Path path) {
        OPEN.add(path);
    }

    static void forget(final Path path) {
        OPEN.remove(path);
    }

    /** Deletes the files of killed processes whose names were chosen by the machine. */
    static void sweep(final ShmAddress address, final NanoClock clock) {
        final Path directory = address.path().getParent();
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(directory, CHOSEN_NAMES)) {
            for (final Path candidate : candidates) {
                if (isAbandoned(address.at(candidate), clock.nanoTime())) {
                    Files.deleteIfExists(candidate);
                }
            }
        } catch (final IOException e) {
            // Tidying up for others: what cannot be seen or deleted stays.
        }
    }

    private static boolean isAbandoned(final ShmAddress address, final long nowNs) {
        ShmFile file = null;
        try {
            file = ShmFile.open(address);
            final long heartbeatNs =
                    file.header().getLongVolatile(ShmLayout.WRITER_HEARTBEAT_OFFSET);
            return !file.writer().isAlive() && Math.abs(nowNs - heartbeatNs) > ABANDONED_NS;
        } catch (final IOException | UserError e) {
            // Not ours to judge.
            return false;
        } finally {
            CloseHelper.quietClose(file);
        }
    }
}
