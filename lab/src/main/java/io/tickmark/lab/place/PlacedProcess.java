package io.tickmark.lab.place;

import io.tickmark.lab.plan.FaultPlan;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that was started. */
public interface PlacedProcess {
    /**
     * Its standard input; closing it asks the process to end.
     *
     * @return the stream, unbuffered or flushed by the caller
     */
    OutputStream input();

    /**
     * Its standard output.
     *
     * @return the stream
     */
    InputStream output();

    /**
     * Its standard error.
     *
     * @return the stream
     */
    InputStream errors();

    /**
     * Builds the threads that read and write its streams. Reading a pipe of the system holds a
     * platform thread; streams that this process feeds itself are read by virtual ones, so that a
     * thousand roles on other hosts do not cost three stacks each.
     *
     * @return a builder of threads that do not keep this process alive
     */
    default Thread.Builder threads() {
        return Thread.ofPlatform().daemon();
    }

    /**
     * Waits for its end.
     *
     * @param atMost how long
     * @return its exit code, empty while it runs
     */
    OptionalInt awaitEnd(Duration atMost);

    /**
     * Waits for an exit code that is reported elsewhere.
     *
     * @param end completes with it once it is known, and never fails
     * @param atMost how long
     * @return the exit code; empty while there is none, and where the thread was interrupted
     */
    static OptionalInt awaitEnd(final Future<Integer> end, final Duration atMost) {
        try {
            return OptionalInt.of(end.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
        } catch (final TimeoutException e) {
            return OptionalInt.empty();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        } catch (final ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Injects a fault into it.
     *
     * @param action what is done
     * @param pid the process's own id, which a wrapper command may hide
     */
    void inject(FaultPlan.Action action, long pid);

    /** Kills it and everything it started, at once; idempotent. */
    void kill();
}
