package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A command that runs while the test continues; nothing of it outlives its block. */
final class Job implements AutoCloseable {
    private static final long LONGEST_MS = 420_000L * Launch.PATIENCE;
    private static final long LOOK_AGAIN_MS = 20;

    private final Process process;
    private final Path out;
    private final Path err;

    private Job(final Process process, final Path out, final Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /**
     * Starts it; its output goes to files in that folder. It receives Ctrl-C even where the test
     * runner ignores it, for example as a background job of a script.
     */
    static Job start(final Launch launch, final Path folder) throws IOException {
        final Path out = Files.createTempFile(folder, "job", ".out");
        final Path err = Files.createTempFile(folder, "job", ".err");
        return new Job(launch.hearing("INT").start(out, err), out, err);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String out() {
        return text(out);
    }

    String err() {
        return text(err);
    }

    /** Waits until it has said something on standard error. */
    void awaitErr(final String words) throws InterruptedException {
        await("'" + words + "' in\n" + err(), () -> !isAlive() || err().contains(words));
        assertThat(err()).contains(words);
    }

    /** Waits until both sides of its run, whose folder it is, have reported messages. */
    void awaitReceived(final Path run) throws InterruptedException {
        final Pattern sent = Pattern.compile("\"sent\":[1-9]");
        final Pattern received = Pattern.compile("\"received\":[1-9]");
        await(
                "a message in " + run + "\n" + err(),
                () ->
                        !isAlive()
                                || sent.matcher(live(run)).find()
                                        && received.matcher(live(run)).find());
        assertThat(isAlive()).as(err()).isTrue();
    }

    private static String live(final Path run) {
        try {
            return Files.readString(run.resolve("live.jsonl"));
        } catch (final IOException e) {
            return ""; // not there yet
        }
    }

    /** Waits for its end. */
    Launch.Outcome await() throws InterruptedException {
        await("the end of it\n" + err(), () -> !isAlive());
        return new Launch.Outcome(process.exitValue(), text(out), err());
    }

    /** Looks again and again, for a long time on a machine that does other things. */
    static void await(final String what, final BooleanSupplier condition)
            throws InterruptedException {
        for (long waitedMs = 0; !condition.getAsBoolean(); waitedMs += LOOK_AGAIN_MS) {
            assertThat(waitedMs).as("waiting for " + what).isLessThan(LONGEST_MS);
            Thread.sleep(LOOK_AGAIN_MS);
        }
    }

    /** Role processes: Java below it, without the shells and other helpers. */
    List<ProcessHandle> roles() {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("/java"))
                .toList();
    }

    /** Sends a signal to it, or to all of its process group. */
    void signal(final String name, final boolean group) throws IOException, InterruptedException {
        signal(name, group ? -pid() : pid());
    }

    static void signal(final String name, final long target)
            throws IOException, InterruptedException {
        final Process kill =
                new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + target)
                        .inheritIO()
                        .start();
        assertThat(kill.waitFor(LONGEST_MS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    /** Processes of its session; those of a foreground job are all that ever came from it. */
    List<Long> session() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.chars().allMatch(Character::isDigit))
                    .map(Long::valueOf)
                    .filter(other -> sessionOf(other) == pid())
                    .toList();
        }
    }

    /** The sixth field of proc(5) stat; the second may hold spaces and ends with a bracket. */
    private static long sessionOf(final long process) {
        try {
            final String stat = Files.readString(Path.of("/proc/" + process + "/stat"));
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return fields[0].equals("Z") ? -1 : Long.parseLong(fields[3]);
        } catch (final IOException e) {
            return -1; // it ended meanwhile
        }
    }

    private static String text(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
