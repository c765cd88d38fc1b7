package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.transport.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * All servers that this JVM has started are suspended: they exist, their connections are open, and
 * nothing answers, until it is closed.
 */
public final class Standstill implements AutoCloseable {
    private final List<String> pids =
            ProcessHandle.current().descendants().map(each -> Long.toString(each.pid())).toList();

    /** Suspends them, and returns once they stand still. */
    public Standstill() {
        assertThat(pids).as("servers that can be suspended").isNotEmpty();
        signal("-STOP");
        try {
            Waiting.until(
                    "all servers stand still", () -> pids.stream().allMatch(Standstill::stands));
        } catch (final AssertionError e) {
            close();
            throw e;
        }
    }

    /**
     * A process is stopped by its main thread, which has to get a core first: its other threads
     * continue until then.
     */
    private static boolean stands(final String pid) {
        final Path process = Path.of("/proc", pid);
        try (Stream<Path> threads = Files.list(process.resolve("task"))) {
            return threads.allMatch(Standstill::isStopped);
        } catch (final IOException | UncheckedIOException e) {
            return Files.notExists(process);
        }
    }

    private static boolean isStopped(final Path thread) {
        try {
            final String status = Files.readString(thread.resolve("status"));
            return status.contains("State:\tT") || status.contains("State:\tZ");
        } catch (final IOException e) {
            return true; // it has ended
        }
    }

    private void signal(final String signal) {
        final List<String> command = new ArrayList<>(List.of("kill", signal));
        command.addAll(pids);
        try {
            new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD) // one may have ended meanwhile
                    .start()
                    .waitFor();
        } catch (final IOException e) {
            throw new AssertionError(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        signal("-CONT");
    }
}
