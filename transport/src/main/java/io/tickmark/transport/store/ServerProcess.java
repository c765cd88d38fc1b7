package io.tickmark.transport.store;

import io.tickmark.kernel.host.EngineProcesses;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A server that an engine needs, as a child of this process. It never outlives us: a shell between
 * the two waits on a pipe that closes with this process, however it ends, and then kills the
 * server. It runs in its own session, so that an interrupt at the terminal does not stop it before
 * we do. Any thread, one at a time.
 */
public final class ServerProcess implements AutoCloseable {
    private static final int LAST_BYTES = 4096;
    private static final int MOST_LINES = 50;
    private static final int LONGEST_LINE = 200;
    private static final long LOOK_NS = 20_000_000;

    /** A shell adds it to the number of a signal (POSIX, "Shell Command Language", 2.8.2). */
    private static final int SIGNALLED = 128;

    /** Those that end a server on Linux, by their numbers. */
    private static final Map<Integer, String> SIGNALS =
            Map.of(
                    1, "SIGHUP", 2, "SIGINT", 6, "SIGABRT", 7, "SIGBUS", 9, "SIGKILL", 11,
                    "SIGSEGV", 15, "SIGTERM");

    private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);
    private static final Pattern LEVEL = Pattern.compile("^(\\[\\w+]|#)");

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /**
     * Writes the server's process id, waits for its end, and kills it when the pipe ends. Deletes
     * its temporary files, which it leaves behind when it is killed: libraries that it unpacked.
     */
    private static final String KEEPER =
            """
            log=$0
            temporary=$1
            shift
            exec 3<&0 </dev/null 2>/dev/null
            "$@" >>"$log" 2>&1 3<&- &
            server=$!
            echo "$server"
            exec >/dev/null
            (
                cat <&3
                kill -9 "$server"
            ) &
            watcher=$!
            exec 3<&-
            wait "$server"
            code=$?
            kill "$watcher"
            test -z "$temporary" || rm -rf "$temporary"
            exit $code
            """;

    private final Process keeper;
    private final long serverPid;
    private final Path log;
    private final long logStart;
    private volatile boolean isEnded;

    private ServerProcess(
            final Process keeper, final long serverPid, final Path log, final long logStart) {
        this.keeper = keeper;
        this.serverPid = serverPid;
        this.log = log;
        this.logStart = logStart;
    }

    /**
     * The command that runs one of our classes in a separate JVM, with the class path of this one.
     * Flags in the environment variable {@code TICKMARK_SERVER_JAVA_OPTS}, separated by spaces,
     * come after the given ones and so take precedence; a collector among them replaces the given
     * one, since a JVM refuses two.
     *
     * @param flags of the JVM
     * @param main class to run
     * @param arguments for it
     * @return program and arguments
     */
    public static List<String> java(
            final List<String> flags, final Class<?> main, final List<String> arguments) {
        return java(flags, System.getProperty("java.class.path"), main.getName(), arguments);
    }

    /**
     * The command that runs a class of another program in a separate JVM of the version of this
     * one.
     *
     * @param flags of the JVM, as above
     * @param classPath of the program
     * @param main name of the class to run
     * @param arguments for it
     * @return program and arguments
     */
    public static List<String> java(
            final List<String> flags,
            final String classPath,
            final String main,
            final List<String> arguments) {
        final List<String> command = new ArrayList<>();
        command.add(JAVA);
        command.addAll(flags(flags, System.getenv().getOrDefault("TICKMARK_SERVER_JAVA_OPTS", "")));
        command.add("-cp");
        command.add(classPath);
        command.add(main);
        command.addAll(arguments);
        return command;
    }

    /** The given flags, then the user's, whose collector replaces the given one. */
    static List<String> flags(final List<String> given, final String ofUser) {
        final List<String> more =
                Stream.of(ofUser.split(" ")).filter(flag -> !flag.isEmpty()).toList();
        final boolean choosesCollector = more.stream().anyMatch(ServerProcess::isCollector);
        return Stream.concat(
                        given.stream().filter(flag -> !choosesCollector || !isCollector(flag)),
                        more.stream())
                .toList();
    }

    private static boolean isCollector(final String flag) {
        return flag.matches("-XX:\\+Use\\w+GC");
    }

    /**
     * Starts a server. One in a JVM has its own folder for temporary files, which is deleted when
     * it ends.
     *
     * @param command program and arguments
     * @param environment variables in addition to those of this process
     * @param log file to which its output is appended
     * @return the server, which may still be starting
     * @throws UserError if no process can be started
     */
    public static ServerProcess start(
            final List<String> command, final Map<String, String> environment, final Path log) {
        final int java = command.indexOf(JAVA);
        final Optional<Path> temporary = java < 0 ? Optional.empty() : Optional.of(temporary());
        final List<String> kept =
                new ArrayList<>(List.of("setsid", "sh", "-c", KEEPER, log.toString()));
        kept.add(temporary.map(Path::toString).orElse(""));
        kept.addAll(command.subList(0, java + 1));
        temporary.ifPresent(folder -> kept.add("-Djava.io.tmpdir=" + folder));
        kept.addAll(command.subList(java + 1, command.size()));
        final ProcessBuilder builder = new ProcessBuilder(kept);
        builder.environment().putAll(environment);
        try {
            return start(builder, log);
        } catch (final IOException e) {
            temporary.ifPresent(folder -> IoUtil.delete(folder.toFile(), true));
            throw UserError.environment(
                    "%s cannot be started (%s); see whether this machine has setsid and sh."
                            .formatted(command.getFirst(), e.getMessage()),
                    e);
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("tickmark-server-");
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s: no folder for a server can be made (%s); make room there, and let this user write."
                            .formatted(System.getProperty("java.io.tmpdir"), IoReason.of(e)),
                    e);
        }
    }

    private static ServerProcess start(final ProcessBuilder builder, final Path log)
            throws IOException {
        final long logStart = Files.exists(log) ? Files.size(log) : 0;
        final Process keeper = builder.start();
        final BufferedReader output = keeper.inputReader(StandardCharsets.US_ASCII);
        final String pid = output.readLine();
        if (pid == null) {
            keeper.destroyForcibly();
            throw new IOException("the shell that supervises it ended");
        }
        final long serverPid = Long.parseLong(pid);
        EngineProcesses.started(serverPid);
        keeper.onExit().thenRun(() -> EngineProcesses.ended(serverPid));
        return new ServerProcess(keeper, serverPid, log, logStart);
    }

    /**
     * Looks a program up in the folders of PATH.
     *
     * @param program name, or a path
     * @return where it is; empty where it is not installed
     */
    public static Optional<Path> find(final String program) {
        if (program.indexOf('/') >= 0) {
            return Optional.of(Path.of(program)).filter(Files::isExecutable);
        }
        final String path = System.getenv("PATH");
        return Stream.concat(
                        Stream.of(path == null ? new String[0] : path.split(":")),
                        Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Whether it runs.
     *
     * @return false once it has ended
     */
    public boolean isAlive() {
        return keeper.isAlive();
    }

    /**
     * The server's process id.
     *
     * @return the id, not valid once it has ended
     */
    public long pid() {
        return serverPid;
    }

    /**
     * Its last output, for a message about why it ended.
     *
     * @param lines most lines
     * @return the last lines of its log, joined by spaces; empty where there is none
     */
    public String lastWords(final int lines) {
        try {
            final byte[] all = Files.readAllBytes(log);
            final int from =
                    Math.max((int) Math.min(logStart, all.length), all.length - LAST_BYTES);
            final List<String> said =
                    new String(all, from, all.length - from, StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank())
                            .map(String::strip)
                            .toList();
            return String.join(" ", said.subList(Math.max(0, said.size() - lines), said.size()));
        } catch (final IOException e) {
            return "";
        }
    }

    /**
     * What it complained about.
     *
     * @param mark text that marks the relevant lines: words of theirs, or a level such as {@code
     *     [ERR]} or {@code #} before them
     * @param most how many lines at most
     * @return the first such lines, each once, from the mark on, without the level; and how many
     *     others there are
     */
    public List<String> complaints(final String mark, final int most) {
        final Set<String> first = new LinkedHashSet<>();
        long others = 0;
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            final Iterator<String> complaints =
                    lines.filter(line -> line.contains(mark))
                            .map(line ->
                                    LEVEL.matcher(line.substring(line.indexOf(mark)))
                                            .replaceFirst("")
                                            .strip())
                            .iterator();
            while (complaints.hasNext()) {
                final String line = complaints.next();
                if (first.size() < most) {
                    first.add(line);
                }
                others += first.contains(line) ? 0 : 1;
            }
        } catch (final IOException | UncheckedIOException e) {
            return List.of();
        }
        final List<String> all = new ArrayList<>(first);
        if (others > 0) {
            all.add(
                    "%s in %s"
                            .formatted(
                                    Plural.of(
                                            others, "more line like that", "more lines like that"),
                                    log));
        }
        return all;
    }

    /**
     * Whether it ended although we did not stop it.
     *
     * @return true where it crashed, or ended itself
     */
    public boolean hasEndedByItself() {
        return !isAlive() && !isEnded;
    }

    /**
     * How it ended.
     *
     * @return a part of a sentence: its exit status, or the signal that killed it, and the last
     *     line of its log where there is one; empty while it runs
     */
    public Optional<String> howEnded() {
        if (isAlive()) {
            return Optional.empty();
        }
        final int code = keeper.exitValue();
        final String signal = SIGNALS.get(code - SIGNALLED);
        final String how =
                signal != null
                        ? "killed by " + signal
                        : code > SIGNALLED
                                ? "killed by signal " + (code - SIGNALLED)
                                : "exit status " + code;
        final String last = lastWords(1);
        return Optional.of(
                last.isEmpty()
                        ? "(%s)".formatted(how)
                        : "(%s); the last line of its log is \"%s\""
                                .formatted(
                                        how,
                                        last.length() <= LONGEST_LINE
                                                ? last
                                                : last.substring(0, LONGEST_LINE) + "..."));
    }

    /**
     * Waits until its output says that it is ready.
     *
     * @param ready text of its output then
     * @param failed text that begins its reason for not becoming ready
     * @param patience how long it may take
     * @return why it is not ready; empty when it is
     */
    public Optional<String> awaitReady(
            final String ready, final String failed, final Duration patience) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (true) {
            final boolean hasEnded = !isAlive();
            if (hasSaid(ready)) {
                return Optional.empty();
            }
            if (hasEnded) {
                final String said = lastWords(MOST_LINES);
                final int from = said.lastIndexOf(failed);
                return Optional.of(from < 0 ? said : said.substring(from + failed.length()));
            }
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > patience.toNanos()) {
                return Optional.of(
                        "it is not ready within %d s; see %s".formatted(patience.toSeconds(), log));
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /**
     * Since this start, and not only in the last lines, as a member of a cluster may print a lot
     * afterwards.
     */
    private boolean hasSaid(final String words) {
        try {
            final byte[] all = Files.readAllBytes(log);
            final int from = (int) Math.min(logStart, all.length);
            return new String(all, from, all.length - from, StandardCharsets.UTF_8).contains(words);
        } catch (final IOException e) {
            return false;
        }
    }

    /** Kills it at once (SIGKILL) and waits until it is gone. */
    public void kill() {
        if (isAlive()) {
            isEnded = true;
            ProcessHandle.of(serverPid).ifPresent(ProcessHandle::destroyForcibly);
            awaitEnd(KILL_PATIENCE);
        }
    }

    /**
     * Asks it to end (SIGTERM), waits, and kills it when it does not.
     *
     * @param patience how long it may take
     */
    public void stop(final Duration patience) {
        if (isAlive()) {
            isEnded = true;
            ProcessHandle.of(serverPid).ifPresent(ProcessHandle::destroy);
            if (!awaitEnd(patience)) {
                kill();
            }
        }
    }

    private boolean awaitEnd(final Duration patience) {
        try {
            return keeper.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            ProcessHandle.of(serverPid).ifPresent(ProcessHandle::destroyForcibly);
            return true;
        }
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        kill();
    }
}
