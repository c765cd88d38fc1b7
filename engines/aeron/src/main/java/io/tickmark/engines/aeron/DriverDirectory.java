package io.tickmark.engines.aeron;

import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import io.tickmark.kernel.settings.UserError;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Directories of drivers. Those of hosted drivers have a unique name that contains the process:
 * leftovers of a killed process are found by it and removed when another driver is hosted or ends.
 */
public final class DriverDirectory {
    private static final File SHARED_MEMORY = new File("/dev/shm");
    private static final long ROOM_FOR_A_DRIVER = 256L << 20;
    private static final Path PROCESS_NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final String PREFIX = "tickmark-aeron-";
    private static final String COMMAND_FILE = CommonContext.newCncFile("").getName();
    private static final AtomicInteger HOSTED = new AtomicInteger();

    /** A driver without a heartbeat for this long is dead. */
    private static final long SILENT_MS = 5000;

    private DriverDirectory() {}

    /**
     * An unused directory, in shared memory where that has room.
     *
     * @return not created yet
     */
    public static File unique() {
        final boolean roomy =
                SHARED_MEMORY.canWrite() && SHARED_MEMORY.getUsableSpace() >= ROOM_FOR_A_DRIVER;
        final File parent = roomy ? SHARED_MEMORY : new File(System.getProperty("java.io.tmpdir"));
        sweep();
        return new File(
                parent, prefix() + ProcessHandle.current().pid() + "-" + HOSTED.incrementAndGet());
    }

    /**
     * Prefix of the names of our directories: processes are identified by their number only within
     * their namespace, and containers may share memory without sharing that.
     */
    static String prefix() {
        try {
            final String namespace = Files.readSymbolicLink(PROCESS_NAMESPACE).toString();
            return PREFIX + namespace.replaceAll("\\D", "") + "-";
        } catch (final IOException e) {
            return PREFIX + "0-";
        }
    }

    /** Removes the leftovers of this user's processes that ended without cleaning up. */
    static void sweep() {
        sweep(SHARED_MEMORY.toPath());
        sweep(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** Aeron's default directory. */
    static File standard() {
        return new File(CommonContext.getAeronDirectoryName());
    }

    /** Throws a usage or environment error unless a driver runs there. */
    static void requireRunning(final AeronChannel channel, final File directory) {
        if (!isRunning(directory)) {
            throw UserError.environment(
                    ("--channel '%s': no Aeron driver runs in %s; start one there, or give the channel"
                                    + " that the publishing side printed.")
                            .formatted(channel.uri(), directory));
        }
    }

    /** Throws a usage or environment error unless a driver may be started there. */
    static void requireFree(final AeronChannel channel, final File directory) {
        final String[] content = directory.list();
        if (content == null || content.length == 0) {
            return;
        }
        if (!new File(directory, COMMAND_FILE).exists()) {
            // Starting there would delete everything in it.
            throw channel.refused(
                    "asks for a driver in a directory that holds other files; give an empty one as aeronDir.");
        }
        if (isRunning(directory)) {
            throw UserError.environment(
                    "--channel '%s': an Aeron driver runs in %s already; join it with driver=external."
                            .formatted(channel.uri(), directory));
        }
    }

    /**
     * The process whose driver runs there, as its command file says; only where that process has
     * the file mapped, since another container numbers its processes otherwise.
     */
    static OptionalLong process(final File directory) {
        final File file = new File(directory, COMMAND_FILE);
        try (InputStream head = Files.newInputStream(file.toPath())) {
            final byte[] metaData = head.readNBytes(CncFileDescriptor.META_DATA_LENGTH);
            final long pid = CncFileDescriptor.pid(new UnsafeBuffer(metaData));
            final String path = file.getCanonicalPath();
            try (Stream<String> maps = Files.lines(Path.of("/proc/" + pid + "/maps"))) {
                return maps.anyMatch(line -> line.endsWith(path))
                        ? OptionalLong.of(pid)
                        : OptionalLong.empty();
            }
        } catch (final IOException | UncheckedIOException e) {
            return OptionalLong.empty(); // another user's, or elsewhere: named without its process
        }
    }

    private static boolean isRunning(final File directory) {
        return CommonContext.isDriverActive(directory, SILENT_MS, message -> {});
    }

    static void sweep(final Path parent) {
        final String prefix = prefix();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, prefix + "*")) {
            for (final Path directory : found) {
                if (isLeftOver(directory, prefix)) {
                    IoUtil.delete(directory.toFile(), true);
                }
            }
        } catch (final IOException | DirectoryIteratorException e) {
            return; // nothing that would prevent a driver of ours
        }
    }

    private static boolean isLeftOver(final Path directory, final String prefix)
            throws IOException {
        final String name = directory.getFileName().toString();
        final String process = name.substring(prefix.length()).replaceFirst("-.*", "");
        return process.matches("\\d{1,18}")
                && ProcessHandle.of(Long.parseLong(process)).isEmpty()
                && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(directory).equals(Files.getOwner(Path.of("/proc/self")));
    }
}
