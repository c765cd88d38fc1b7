package io.tickmark.engines.aeron;

import io.aeron.CommonContext;
import io.tickmark.kernel.settings.UserError;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.IoUtil;

/**
 * Where drivers have their files. Those we host have a name of their own, with the process in it:
 * what a killed process left is found by that and removed when the next driver is hosted.
 */
final class DriverDirectory {
    private static final File SHARED_MEMORY = new File("/dev/shm");
    private static final long ROOM_FOR_A_DRIVER = 256L << 20;
    private static final String PREFIX = "tickmark-aeron-";
    private static final String COMMAND_FILE = CommonContext.newCncFile("").getName();
    private static final AtomicInteger HOSTED = new AtomicInteger();

    /** A driver that gave no sign for so long is dead, if it is asked for. */
    private static final long SILENT_MS = 5000;

    /** And for so long, it is dead even if its process only seems gone from this namespace. */
    private static final long LONG_SILENT_MS = 60_000;

    private DriverDirectory() {}

    /** A directory that nobody has, in shared memory where that has room. */
    static File unique() {
        final boolean roomy =
                SHARED_MEMORY.canWrite() && SHARED_MEMORY.getUsableSpace() >= ROOM_FOR_A_DRIVER;
        final File parent = roomy ? SHARED_MEMORY : new File(System.getProperty("java.io.tmpdir"));
        sweep(parent.toPath());
        return new File(
                parent, PREFIX + ProcessHandle.current().pid() + "-" + HOSTED.incrementAndGet());
    }

    /** Where Aeron looks when it is told nothing. */
    static File standard() {
        return new File(CommonContext.getAeronDirectoryName());
    }

    /** Ends with a usage or environment error unless a driver runs there. */
    static void requireRunning(final AeronChannel channel, final File directory) {
        if (!isRunning(directory, SILENT_MS)) {
            throw UserError.environment(
                    ("--channel '%s': no Aeron driver runs in %s; start one there, or give the channel"
                                    + " that the publishing side printed.")
                            .formatted(channel.uri(), directory));
        }
    }

    /** Ends with a usage or environment error unless a driver may be started there. */
    static void requireFree(final AeronChannel channel, final File directory) {
        final String[] content = directory.list();
        if (content == null || content.length == 0) {
            return;
        }
        if (!new File(directory, COMMAND_FILE).exists()) {
            // Starting there would delete it all.
            throw channel.refused(
                    "wants a driver in a directory that holds other files; give an empty one as aeronDir.");
        }
        if (isRunning(directory, SILENT_MS)) {
            throw UserError.environment(
                    "--channel '%s': an Aeron driver runs in %s already; join it with driver=external."
                            .formatted(channel.uri(), directory));
        }
    }

    private static boolean isRunning(final File directory, final long silentMs) {
        return CommonContext.isDriverActive(directory, silentMs, message -> {});
    }

    /** Removes what processes of this user left that ended without a chance to. */
    static void sweep(final Path parent) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (final Path directory : found) {
                if (isLeftOver(directory)) {
                    IoUtil.delete(directory.toFile(), true);
                }
            }
        } catch (final IOException e) {
            return; // nothing that would hinder a driver of ours
        }
    }

    private static boolean isLeftOver(final Path directory) throws IOException {
        final String process =
                directory
                        .getFileName()
                        .toString()
                        .substring(PREFIX.length())
                        .replaceFirst("-.*", "");
        return process.matches("\\d{1,18}")
                && ProcessHandle.of(Long.parseLong(process)).isEmpty()
                && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(directory).equals(Files.getOwner(Path.of("/proc/self")))
                && !isRunning(directory.toFile(), LONG_SILENT_MS);
    }
}
