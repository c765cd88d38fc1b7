package io.tickmark.engines.dds;

import io.tickmark.kernel.settings.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The daemon of iceoryx, without which Cyclone's shared memory would end the process: one for the
 * machine. Where none runs, it is started for the life of this process, and stopped only when no
 * process uses it any more, because its end would end its clients.
 */
final class Roudi {
    /** Environment variable that names the daemon's program. */
    static final String VARIABLE = "TICKMARK_ROUDI";

    private static final String PROGRAM = "iox-roudi";

    /** The socket on which it accepts its clients. */
    private static final Path SOCKET = Path.of("/tmp/roudi");

    /** Locked while a daemon runs; a second one aborts meanwhile. */
    private static final Path DAEMON_LOCK = Path.of("/tmp/iox-unique-roudi.lock");

    private static final int ENDING_LOOKS = 300;
    private static final long LOOK_MS = 100;

    private static final Path LOCK =
            Path.of(System.getProperty("java.io.tmpdir"), "tickmark-roudi.lock");

    private static final String READY = "ready for clients";
    private static final int MOST_LINES = 200;

    /**
     * Pools of chunks: for samples of each size of a sweep, the largest ones few. A queue holds 256
     * samples, so every pool that small messages use has several times that.
     */
    private static final String POOLS =
            """
            [general]
            version = 1
            [[segment]]
            [[segment.mempool]]
            size = 256
            count = 8192
            [[segment.mempool]]
            size = 2048
            count = 4096
            [[segment.mempool]]
            size = 16384
            count = 2048
            [[segment.mempool]]
            size = 131072
            count = 256
            [[segment.mempool]]
            size = 1179648
            count = 32
            """;

    /**
     * Keeps the daemon until the pipe from this process closes and only the daemon itself has its
     * memory mapped, at most a minute. Without its monitoring, which considers a process dead that
     * is stalled for a second or two.
     */
    private static final String KEEPER =
            """
            "$0" -m off -c "$1" </dev/null &
            daemon=$!
            exec >/dev/null 2>&1
            cat >/dev/null
            for i in $(seq 300); do
                kill -0 "$daemon" 2>/dev/null || exit
                users=$(grep -ls iceoryx_mgmt /proc/[0-9]*/maps | grep -cv "^/proc/$daemon/")
                [ "$users" = 0 ] && break
                sleep 0.2
            done
            kill "$daemon" 2>/dev/null
            wait "$daemon"
            """;

    private Roudi() {}

    /** Why shared memory cannot be used; empty where the daemon runs or can be started. */
    static Optional<String> absence() {
        if (isRunning() || program().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                "the daemon of iceoryx ("
                        + name()
                        + ") is not installed; Debian's package is iceoryx");
    }

    private static String name() {
        final String chosen = System.getenv(VARIABLE);
        return chosen == null || chosen.isBlank() ? PROGRAM : chosen;
    }

    private static Optional<Path> program() {
        final String name = name();
        if (name.indexOf('/') >= 0) {
            return Optional.of(Path.of(name)).filter(Files::isExecutable);
        }
        final String path = System.getenv("PATH");
        return Stream.of(path == null ? new String[] {"/usr/bin"} : path.split(":"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Also detects one that was started in another network namespace, which hides its socket. */
    private static boolean isRunning() {
        return Files.exists(SOCKET) && isLocked();
    }

    /**
     * By the kernel's list of locks, see proc(5): its lock is one of flock(2), which Java has not.
     */
    private static boolean isLocked() {
        try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
            final String inode = ":" + Files.getAttribute(DAEMON_LOCK, "unix:ino") + " ";
            return locks.anyMatch(line -> line.contains(" FLOCK ") && line.contains(inode));
        } catch (final IOException e) {
            return false; // no daemon has ever run, or the kernel does not show it
        }
    }

    /**
     * A daemon that is about to end accepts no more clients, and does not let another start yet.
     */
    private static void awaitEnd() {
        try {
            for (int i = 0; i < ENDING_LOOKS && isLocked() && !Files.exists(SOCKET); i++) {
                Thread.sleep(LOOK_MS);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ensures that a daemon runs. */
    static synchronized void require(final DdsChannel channel) {
        if (isRunning()) {
            return;
        }
        final Path program =
                program().orElseThrow(() -> refused(channel, absence().orElse("it is absent")));
        // All sides of a test start at once, and of two daemons the second aborts.
        try (FileChannel file =
                        FileChannel.open(
                                LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            awaitEnd();
            if (isRunning()) {
                return;
            }
            final String said = start(program);
            if (!said.isEmpty() && lock.isValid() && !isRunning()) {
                throw refused(channel, program + " does not start: " + said);
            }
        } catch (final IOException e) {
            throw refused(channel, program + " cannot be started: " + e.getMessage());
        }
    }

    private static UserError refused(final DdsChannel channel, final String why) {
        return UserError.environment("--channel " + channel.uri() + ": " + why + ".");
    }

    /** Empty when it is ready; otherwise its last output. */
    private static String start(final Path program) throws IOException {
        final Path pools = Files.createTempFile("tickmark-roudi-", ".toml");
        try {
            Files.writeString(pools, POOLS);
            final Process keeper =
                    new ProcessBuilder(
                                    "setsid",
                                    "sh",
                                    "-c",
                                    KEEPER,
                                    program.toString(),
                                    pools.toString())
                            .redirectErrorStream(true)
                            .start();
            return untilReady(keeper.inputReader(StandardCharsets.UTF_8));
        } finally {
            Files.delete(pools);
        }
    }

    /** Empty when it is ready; otherwise its last output. */
    private static String untilReady(final BufferedReader output) throws IOException {
        String last = "it ended without a message";
        for (int lines = 0; lines < MOST_LINES; lines++) {
            final String line = output.readLine();
            if (line == null) {
                return last;
            }
            if (line.contains(READY)) {
                drain(output);
                return "";
            }
            last = line.replaceAll("\\x1b\\[[0-9;]*m", "").strip();
        }
        return last;
    }

    /** A full pipe would block the daemon. */
    private static void drain(final BufferedReader output) {
        Thread.ofPlatform()
                .daemon()
                .name("roudi-output")
                .start(() -> {
                    try {
                        output.transferTo(Writer.nullWriter());
                    } catch (final IOException e) {
                        // It ended.
                    }
                });
    }
}
