package io.tickmark.cli.run;

import io.tickmark.kernel.result.Verdict;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ctrl-C (or SIGTERM) while something measures: it is stopped, and the process ends when the
 * results are written: with the exit code of an interrupted run, or with the command's own where a
 * signal is its normal end.
 */
public final class Interruption implements AutoCloseable {
    /**
     * Longer than a role may take to end and a report to be written; then the process ends anyway.
     * For a command that normally ends this way there is no limit, as it may still have to read a
     * store back.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * The commands that run in this process; one, except in tests. The last sentence of a command
     * is printed after everything is closed, including this.
     */
    private static final Phaser RUNNING =
            new Phaser() {
                @Override
                protected boolean onAdvance(final int phase, final int registered) {
                    return false; // another command may begin
                }
            };

    private static volatile int ownExitCode = Verdict.VOID.exitCode();

    private final Runnable stop;
    private final boolean isItsEnd;
    private final PrintStream err;
    private final Thread hook = new Thread(this::interrupted, "interruption");
    private volatile boolean cutShort;

    /**
     * Makes a signal stop what runs.
     *
     * @param stop asks it to end soon; any thread
     * @param err for a line to the user
     * @param isItsEnd whether the command runs until a signal, so that this is not a failure
     */
    public Interruption(final Runnable stop, final PrintStream err, final boolean isItsEnd) {
        this.stop = stop;
        this.isItsEnd = isItsEnd;
        this.err = err;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupted() {
        err.println();
        err.println("tickmark: stopping; what was measured so far is kept.");
        cutShort = !isItsEnd;
        stop.run();
        try {
            awaitCommands();
        } catch (final TimeoutException e) {
            err.println("tickmark: it did not stop in time; exiting anyway.");
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        err.flush();
        // In a shutdown that a signal began, this is the one way to choose the exit code.
        Runtime.getRuntime().halt(isItsEnd ? ownExitCode : Verdict.VOID.exitCode());
    }

    private void awaitCommands() throws InterruptedException, TimeoutException {
        final int now = RUNNING.getPhase();
        if (RUNNING.getRegisteredParties() == 0) {
            return; // the last one ended while the process was ending
        }
        if (isItsEnd) {
            RUNNING.awaitAdvanceInterruptibly(now);
        } else {
            RUNNING.awaitAdvanceInterruptibly(now, PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /**
     * Whether a signal arrived before the command had finished; any thread.
     *
     * @return false also where a signal is how it ends
     */
    public boolean hasCutShort() {
        return cutShort;
    }

    /** To be called before a command runs, which {@link #commandEnded} follows. */
    public static void commandBegins() {
        RUNNING.register();
    }

    /**
     * To be called when the command has written and printed everything: a signal that arrived
     * meanwhile may end the process now.
     *
     * @param exitCode of the command
     */
    public static void commandEnded(final int exitCode) {
        ownExitCode = exitCode;
        RUNNING.arriveAndDeregister();
    }

    /** The results are written: signals end the process as usual. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // The hook is already running: it waits for the command's end.
        }
    }
}
