package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.InProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command to run as a separate process, as a user would.
 *
 * @param command words of the command line
 * @param directory to run it in
 * @param environment changes to ours; an empty value removes the variable
 */
record Launch(List<String> command, Path directory, Map<String, String> environment) {
    /** More than one beside busy loops, where a process is given up much later. */
    static final int PATIENCE = Integer.getInteger("tickmark.test.patience", 1);

    private static final long LONGEST_SECONDS = 420 * PATIENCE;
    private static final int MOST_LATE = 5;

    /** A machine on which runs take that long is busy for longer than it makes sense to wait. */
    private static final long ENOUGH_NS = TimeUnit.SECONDS.toNanos(120) * PATIENCE;

    static final Pattern LATE =
            Pattern.compile(
                    "ms after the start; see what|did not (start|finish preparing|finish connecting) within [0-9]+ s"
                            + "|The clock of host \\S+ ran unevenly");

    /** What those say whose other side hangs, or had no core for long. */
    static final Pattern SILENT =
            Pattern.compile(
                    "did not end within |has said nothing for \\d+ s: it hangs|has not read its commands for"
                            + "|has not answered for \\d+ s|The controller was silent for|timed out; 'ssh "
                            + "|Steady state was not reached within|fell silent|accepted nothing for \\d+ s"
                            + "|(subscribers connected to|no publisher (answered|wrote)|No gateway accepted"
                            + "|clients got a session|no echo came back|has connected)( \\S+){0,20} within \\d+m?s?"
                            + "|did not let a session log on|Not every session reported its end");

    /** What a trial says that shows nothing, as where its roles had no core for seconds. */
    static final Pattern EMPTY =
            Pattern.compile(
                    "Nothing was measured: no message was sent or received|the page received nothing"
                            + "|The other roles ended before all faults were injected");

    private static final Pattern OUT = Pattern.compile(" --out (\\S+)");

    /** The project's folder. */
    static final Path ROOT = Path.of(System.getProperty("tickmark.root")).toAbsolutePath();

    /**
     * How it ended.
     *
     * @param exitCode of the process
     * @param out its standard output
     * @param err its standard error
     */
    record Outcome(int exitCode, String out, String err) {
        /** What a measurement prints at most, with the names of two files. */
        private static final int SCREEN_LINES = 38 + 2;

        Outcome isOneScreen() {
            assertThat(out.lines().count()).as(out).isBetween(5L, (long) SCREEN_LINES);
            return this;
        }

        List<String> errLines() {
            return err.lines().toList();
        }

        /**
         * A machine that is busy may not hold the rate, or begin late; nothing else may be wrong.
         */
        Outcome passedOrWasSaturated() {
            assertThat(exitCode)
                    .as(out + err)
                    .isEqualTo(out.contains("saturated") || isLate(this) ? 1 : 0);
            return this;
        }
    }

    /**
     * What a line prints that only reads, prints and ends: the front door in this process, where
     * starting one for each would take minutes. Names of files in it are whole, as nobody stands in
     * a folder.
     *
     * @param line arguments between spaces
     */
    static Outcome here(final String line) {
        final InProcess.Outcome outcome = InProcess.run(line.split(" "));
        return new Outcome(outcome.exitCode(), outcome.out(), outcome.err());
    }

    /**
     * The same for a line that measures, as a user types it who stands in a folder. The roles of
     * its run are processes as always. It names the folder for its results, and is run again where
     * the machine was too busy, see {@link #runInTime}.
     *
     * @param folder where the user stands
     * @param line arguments between spaces
     */
    static Outcome here(final Path folder, final String line) {
        final Matcher out = OUT.matcher(line);
        if (!out.find()) {
            return once(folder, line);
        }
        try {
            return inTime(() -> once(folder, line), folder.resolve(out.group(1)));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Outcome once(final Path folder, final String line) {
        final FutureTask<InProcess.Outcome> task =
                new FutureTask<>(() -> InProcess.runIn(folder, line.split(" ")));
        final Thread thread = Thread.ofPlatform().daemon().name("front-door").start(task);
        try {
            final InProcess.Outcome outcome = task.get(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (!line.contains(" --out ")) {
                assertThat(outcome.exitCode())
                        .as("name a folder with --out, this process does not stand in one: " + line)
                        .isIn(2, 3);
            }
            return new Outcome(outcome.exitCode(), outcome.out(), outcome.err());
        } catch (final TimeoutException e) {
            throw new AssertionError(
                    "still running after %d s: %s%n\tat %s"
                            .formatted(
                                    LONGEST_SECONDS,
                                    line,
                                    Stream.of(thread.getStackTrace())
                                            .map(StackTraceElement::toString)
                                            .collect(Collectors.joining("\n\tat "))),
                    e);
        } catch (final ExecutionException | InterruptedException e) {
            throw new AssertionError(line, e);
        } finally {
            thread.interrupt();
            endInTime(thread);
        }
    }

    /** What is still running then ends its roles, before its folder is deleted. */
    private static void endInTime(final Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(30));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The launcher of this project, run from the temporary folder, on the JDK of the tests. */
    static Launch tickmark(final String... arguments) {
        return of(ROOT.resolve("tickmark"), arguments)
                .with("JAVA_HOME", System.getProperty("java.home"))
                .with("TICKMARK_BUILD", "never");
    }

    /**
     * The launcher of this project, as a user types it.
     *
     * @param folder where the user stands
     * @param line arguments between spaces
     */
    static Launch tickmark(final Path folder, final String line) {
        return tickmark(line.split(" ")).in(folder);
    }

    static Launch of(final Path program, final String... arguments) {
        final List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return new Launch(command, Path.of(System.getProperty("java.io.tmpdir")), Map.of());
    }

    /** The same with more arguments. */
    Launch and(final String... more) {
        final List<String> words = new ArrayList<>(command);
        words.addAll(List.of(more));
        return new Launch(words, directory, environment);
    }

    Launch with(final String name, final String value) {
        final Map<String, String> changed = new HashMap<>(environment);
        changed.put(name, value);
        return new Launch(command, directory, changed);
    }

    Launch in(final Path other) {
        return new Launch(command, other, environment);
    }

    /** The same as the foreground job of a terminal: its own session, which receives Ctrl-C. */
    Launch inForeground() {
        return hearing("INT").after("setsid");
    }

    /** The same, where it receives that signal although its parent ignores it. */
    Launch hearing(final String signal) {
        return after("env", "--default-signal=" + signal);
    }

    private Launch after(final String... first) {
        final List<String> words = new ArrayList<>(List.of(first));
        words.addAll(command);
        return new Launch(words, directory, environment);
    }

    /**
     * The same where few processes have the class path of a role: writing its classes would cost
     * several times what the next one saves.
     */
    Launch writingNoClasses() {
        return with("TICKMARK_ROLE_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -Xshare:auto");
    }

    /**
     * The same on hosts, whose folders end with the test.
     *
     * @param option {@code --hosts} or {@code --kubernetes}
     */
    Launch onHosts(final String option, final Path plan) {
        return and(option, plan.toString()).writingNoClasses();
    }

    /**
     * The same with the flags that users get; tests compile little, so that processes start sooner.
     */
    Launch withUsualJvms() {
        return with("TICKMARK_JAVA_OPTS", "")
                .with("TICKMARK_ROLE_JAVA_OPTS", "")
                .with("TICKMARK_SERVER_JAVA_OPTS", "");
    }

    Process start(final Path out, final Path err) {
        final ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        environment.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        try {
            final Process process = builder.start();
            process.getOutputStream().close();
            return process;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs it, and again where a role began late or did not begin, or where nothing passed, came
     * too late for the trial or was waited for in vain and threads are known to have stood, which
     * voids it, as it should: the machine is busy, and several hosts are one machine here. No run
     * begins when those before it took two minutes; what the last one was voided for is then the
     * caller's to judge.
     *
     * @param results folder that it writes, put aside before it is run again
     */
    Outcome runInTime(final Path results) throws IOException {
        return inTime(this::run, results);
    }

    private static Outcome inTime(final Supplier<Outcome> command, final Path results)
            throws IOException {
        final long beginNs = System.nanoTime();
        for (int late = 1; ; late++) {
            final Outcome outcome;
            final boolean isToBeRepeated;
            try (MachineWatch machine = new MachineWatch()) {
                outcome = command.get();
                isToBeRepeated = isToBeRepeated(outcome, results, machine);
            }
            if (!isToBeRepeated || late > MOST_LATE || System.nanoTime() - beginNs >= ENOUGH_NS) {
                return outcome;
            }
            System.err.println("run again, the machine was busy: " + results);
            if (Files.exists(results)) {
                Files.move(
                        results,
                        Files.createTempDirectory(results.getParent(), "late-")
                                .resolve(results.getFileName()));
            }
        }
    }

    private static boolean isToBeRepeated(
            final Outcome outcome, final Path results, final MachineWatch machine)
            throws IOException {
        final String said = text(outcome) + ' ' + outcome.err() + rows(results);
        return LATE.matcher(said).find()
                || (EMPTY.matcher(said).find() || SILENT.matcher(said).find())
                        && machine.hasStood(results);
    }

    /** Sentences are folded on a screen. */
    private static String text(final Outcome outcome) {
        return outcome.out().replaceAll("\\s+", " ");
    }

    private static boolean isLate(final Outcome outcome) {
        return LATE.matcher(text(outcome)).find();
    }

    /** The screen shows the first reasons alone; the results hold all of them. */
    private static String rows(final Path results) throws IOException {
        if (Files.notExists(results)) {
            return "";
        }
        final StringBuilder rows = new StringBuilder();
        try (Stream<Path> files = Files.walk(results)) {
            for (final Path file : files.filter(file -> file.endsWith("result.json")).toList()) {
                rows.append('\n').append(Files.readString(file));
            }
        }
        return rows.toString();
    }

    Outcome run() {
        try {
            final Path out = Files.createTempFile("tickmark-test", ".out");
            final Path err = Files.createTempFile("tickmark-test", ".err");
            try {
                final Process process = start(out, err);
                if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                    throw new AssertionError(
                            "still running after "
                                    + LONGEST_SECONDS
                                    + " s: "
                                    + command
                                    + "\n"
                                    + Files.readString(err));
                }
                return new Outcome(
                        process.exitValue(), Files.readString(out), Files.readString(err));
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
