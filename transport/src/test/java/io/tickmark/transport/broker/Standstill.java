package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * All servers that this JVM has started are suspended: they exist, their connections are open, and
 * nothing answers, until it is closed.
 */
public final class Standstill implements AutoCloseable {
    private final List<String> pids =
            ProcessHandle.current().descendants().map(each -> Long.toString(each.pid())).toList();

    /** Suspends them. */
    public Standstill() {
        assertThat(pids).as("servers that can be suspended").isNotEmpty();
        signal("-STOP");
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
