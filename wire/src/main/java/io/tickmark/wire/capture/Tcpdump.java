package io.tickmark.wire.capture;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A running tcpdump that writes a file: nanoseconds, whole packets, a separate buffer. It runs in
 * its own session, so that Ctrl-C reaches it by {@link #stop()} only, and ends with this process,
 * however that ends. Thread-safe.
 */
public final class Tcpdump implements AutoCloseable {
    /**
     * tcpdump gets packets in blocks, at the latest after a second; what is in the last block when
     * it ends is lost.
     */
    static final long LAST_BLOCK_MS = 1_200;

    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 20;
    private static final long LOOK_MS = 20;
    private static final int MOST_LOOKS = 1_000;
    private static final char SLEEPS = 'S';
    private static final int MOST_LINES = 200;
    private static final int LONGEST_LINE = 500;
    private static final String LISTENING = "listening on";

    /**
     * Runs its arguments in its own place, so that signals, status and last words are theirs.
     * Beside them a child waits for a line on standard input: the end of the input without one says
     * that this process is gone, and the child ends them. The kernel's own signal for that
     * (prctl(2), PR_SET_PDEATHSIG) is forgotten where a program with capabilities is executed, as
     * tcpdump is for users other than root.
     */
    private static final String ENDS_WITH_THIS_PROCESS =
            """
            exec 3<&0 </dev/null
            (trap '' HUP INT TERM; read -r line <&3 || kill -TERM $$) >/dev/null 2>&1 &
            exec "$@" 3<&-
            """;

    private final Path file;
    private final TcpdumpOptions options;
    private final List<String> lines = new ArrayList<>();
    private final CountDownLatch isKnown = new CountDownLatch(1);
    private final CountDownLatch hasEnded = new CountDownLatch(1);
    private volatile Process process;
    private volatile IOException notStarted;
    private volatile boolean isListening;
    private volatile boolean isEnding;
    private volatile String ownEnd = "";
    private boolean isStopped;

    private Tcpdump(final TcpdumpOptions options, final Path file) {
        this.options = options;
        this.file = file;
    }

    /**
     * Where tcpdump is installed.
     *
     * @return its path, empty where it is not
     */
    public static Optional<Path> find() {
        return find("tcpdump");
    }

    private static Optional<Path> find(final String program) {
        final String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(
                        Stream.of(path.split(":")), Stream.of("/usr/bin", "/usr/sbin", "/sbin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts it and returns when it captures.
     *
     * @param options what to capture
     * @param file to write, replaced where it is there
     * @return the running capture
     * @throws UserError if it is not installed, may not capture, or knows no such device or filter
     */
    public static Tcpdump start(final TcpdumpOptions options, final Path file) {
        final Path program =
                find().orElseThrow(() ->
                        UserError.environment(
                                "tcpdump is not installed: install it (Debian: apt-get install tcpdump)."));
        return start(options, file, command(options, program));
    }

    /** Starts a program that says what tcpdump says. */
    static Tcpdump start(
            final TcpdumpOptions options, final Path file, final List<String> command) {
        final Tcpdump capture = new Tcpdump(options, file);
        Thread.ofPlatform().daemon().name("tcpdump").start(() -> capture.attend(command));
        capture.awaitListening();
        return capture;
    }

    private static List<String> command(final TcpdumpOptions options, final Path program) {
        final List<String> command = new ArrayList<>();
        find("setsid").ifPresent(setsid -> command.add(setsid.toString()));
        command.addAll(List.of("/bin/sh", "-c", ENDS_WITH_THIS_PROCESS, "sh", program.toString()));
        command.addAll(List.of("-i", options.device(), "-n"));
        command.add("--time-stamp-precision=nano");
        command.addAll(List.of("-s", "0", "-B", Integer.toString(options.bufferMib() * 1024)));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-Z", "root")); // tcpdump's own user may not be there
        }
        command.addAll(List.of("-w", "-"));
        if (!options.filter().isBlank()) {
            command.add(options.filter());
        }
        return command;
    }

    private void attend(final List<String> command) {
        try {
            final ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(file.toFile());
            builder.environment().put("LC_ALL", "C");
            process = builder.start();
            try (BufferedReader said =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getErrorStream(), StandardCharsets.UTF_8))) {
                for (String line = said.readLine(); line != null; line = said.readLine()) {
                    hear(line);
                }
            }
            final int status = process.waitFor();
            dismissWatcher();
            if (!isEnding) {
                synchronized (lines) {
                    ownEnd = "exit status " + status + ": " + lastWords(lines);
                }
            }
        } catch (final IOException e) {
            notStarted = e;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            hasEnded.countDown();
            isKnown.countDown();
        }
    }

    /** Its number may belong to another process by now, which must not be killed. */
    private void dismissWatcher() {
        try (OutputStream watcher = process.getOutputStream()) {
            watcher.write('\n');
        } catch (final IOException e) {
            // there is none any more
        }
    }

    private void hear(final String line) {
        synchronized (lines) {
            // a capture whose counts are not heard would be one that may have lost anything
            if (lines.size() < MOST_LINES || CaptureCounts.isCount(line)) {
                lines.add(line.substring(0, Math.min(line.length(), LONGEST_LINE)));
            }
        }
        if (line.contains(LISTENING)) {
            isListening = true;
            isKnown.countDown();
        }
    }

    private void awaitListening() {
        try {
            if (!isKnown.await(START_SECONDS, TimeUnit.SECONDS)) {
                close();
                throw UserError.environment(
                        "tcpdump did not start capturing within %d s.".formatted(START_SECONDS));
            }
        } catch (final InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw UserError.environment("The start of tcpdump was interrupted.", e);
        }
        if (!isListening) {
            final IOException reason = notStarted;
            if (reason != null) {
                throw UserError.environment(
                        "%s cannot be written, or tcpdump cannot be started (%s)."
                                .formatted(file, IoReason.of(reason)),
                        reason);
            }
            synchronized (lines) {
                throw refused(options, lines);
            }
        }
    }

    /** What tcpdump said before it ended, for the user; its reason may stand in any line. */
    static UserError refused(final TcpdumpOptions options, final List<String> lines) {
        final String said = lastWords(lines);
        final String all = String.join("\n", lines);
        if (all.contains("permission")
                || all.contains("not permitted")
                || all.contains("CAP_NET")) {
            return UserError.environment(
                    ("this user may not capture on %s: run as root, or run once 'sudo setcap cap_net_raw,cap_net_admin=eip %s'.")
                            .formatted(
                                    options.device(),
                                    find().map(Path::toString).orElse("/usr/bin/tcpdump")));
        }
        if (all.contains("No such device") || all.contains("SIOCGIFHWADDR")) {
            return UserError.usage(
                    "--device %s: there is no such device; 'tcpdump -D' lists them."
                            .formatted(options.device()));
        }
        if (all.contains("filter") || all.contains("syntax error") || all.contains("parse")) {
            return UserError.usage(
                    "--filter '%s': %s; see pcap-filter(7).".formatted(options.filter(), said));
        }
        return UserError.environment("tcpdump cannot capture: %s.".formatted(said));
    }

    private static String lastWords(final List<String> lines) {
        return lines.reversed().stream()
                .filter(line -> !line.contains(LISTENING) && !CaptureCounts.isCount(line))
                .findFirst()
                .map(line -> line.replaceFirst("^tcpdump: ", "").replaceFirst("\\.$", ""))
                .orElse("it gave no reason");
    }

    /**
     * Whether it captures still.
     *
     * @return false once it has ended, for whatever reason
     */
    public boolean isRunning() {
        return hasEnded.getCount() > 0;
    }

    /**
     * How it ended before it was stopped.
     *
     * @return exit status and last words; empty while it captures, and where it was told to end
     */
    public String ownEnd() {
        return ownEnd;
    }

    /**
     * Takes the packets in that the kernel still holds, ends it and reads its counts; what comes
     * later is not in the file. Blocks for a second or two.
     *
     * @return its counts
     * @throws UserError if it does not end
     */
    public synchronized CaptureCounts stop() {
        if (!isStopped) {
            isStopped = true;
            try {
                hasEnded.await(LAST_BLOCK_MS, TimeUnit.MILLISECONDS);
                awaitTaken();
                end();
            } catch (final InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        synchronized (lines) {
            return CaptureCounts.of(lines);
        }
    }

    /**
     * It sleeps once it has taken in all that the kernel gave it; where others have the core it is
     * still about to, and what it has not read would be lost with it.
     */
    private void awaitTaken() throws InterruptedException {
        final Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        for (int looks = 0;
                looks < MOST_LOOKS && !hasEnded.await(LOOK_MS, TimeUnit.MILLISECONDS);
                looks++) {
            try {
                final String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
                if (text.charAt(text.lastIndexOf(')') + 2) == SLEEPS) { // see proc(5)
                    return;
                }
            } catch (final IOException e) {
                return; // it has ended, or this system does not tell
            }
        }
    }

    private void end() throws InterruptedException {
        isEnding = true;
        process.toHandle().destroy(); // unlike the process's own, this one leaves its last words
        if (!hasEnded.await(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw UserError.environment(
                    "tcpdump did not end within %d s; %s may lack its last packets."
                            .formatted(STOP_SECONDS, file));
        }
    }

    /** Ends it at once, without waiting for the last packets; idempotent. */
    @Override
    public void close() {
        final Process running = process;
        isEnding = true;
        if (running != null && running.isAlive()) {
            running.toHandle().destroy();
            try {
                if (!running.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    running.destroyForcibly();
                }
            } catch (final InterruptedException e) {
                running.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
