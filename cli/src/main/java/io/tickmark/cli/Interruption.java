package io.tickmark.cli;

import io.tickmark.kernel.result.Verdict;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C (or a polite kill) while something measures: it is told to stop, and the process ends when
 * what was measured is kept, with the exit code of an interrupted run.
 */
final class Interruption implements AutoCloseable {
    /**
     * Longer than a role may take to end and a report to be written; then the process ends anyway.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Runnable stop;
    private final PrintStream err;
    private final CountDownLatch kept = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupted, "interruption");

    /**
     * From now on a signal stops what runs.
     *
     * @param stop asks it to end soon; any thread
     * @param err for a line to the user
     */
    Interruption(final Runnable stop, final PrintStream err) {
        this.stop = stop;
        this.err = err;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupted() {
        err.println();
        err.println("tickmark: stopping; what was measured so far is kept.");
        stop.run();
        try {
            if (!kept.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                err.println("tickmark: it does not stop; ended without it.");
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        err.flush();
        // In a shutdown that a signal began, this is the one way to choose the exit code.
        Runtime.getRuntime().halt(Verdict.VOID.exitCode());
    }

    /** All is kept and said: signals end the process as they usually do. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // The hook runs already: it waits for this.
        }
        kept.countDown();
    }
}
