package io.tickmark.lab.place;

import io.tickmark.lab.plan.FaultPlan;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;

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
     * Makes the threads that read and write its streams. Reading a pipe of the system holds a
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
     * Does a fault to it.
     *
     * @param action what is done
     * @param pid the process as it knows itself, which a wrapper command may hide
     */
    void inflict(FaultPlan.Action action, long pid);

    /** Ends it and all it started, at once; idempotent. */
    void kill();
}
