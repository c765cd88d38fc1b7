package io.tickmark.kernel.role;

import io.tickmark.kernel.record.Recording;
import java.nio.file.Path;
import java.util.Optional;
import org.agrona.concurrent.NanoClock;

/** What the host provides to a role for one trial. All methods may be called from any thread. */
public interface RoleContext {
    /**
     * Number of this role among those of its name.
     *
     * @return from 1
     */
    int index();

    /**
     * How many roles of this name the trial has.
     *
     * @return at least 1
     */
    int count();

    /**
     * Identity of the trial, the same in all its roles; 0 when run by hand.
     *
     * @return the id
     */
    int trialId();

    /**
     * Which repeat of the trial this is.
     *
     * @return from 1
     */
    default int repeat() {
        return 1;
    }

    /**
     * The folder for the role's files, beside those of the other roles of the trial.
     *
     * @return a folder that exists; empty where no files are kept
     */
    default Optional<Path> directory() {
        return Optional.empty();
    }

    /**
     * The clock of all times. Locally it is the machine's monotonic clock, which all processes
     * share.
     *
     * @return the clock
     */
    NanoClock clock();

    /**
     * Where latencies, counters and steps are recorded.
     *
     * @return the recording of this role
     */
    Recording recording();

    /**
     * How long {@link Role#connect} may look for peers; when run by a plan, the role's own {@link
     * RoleFactory#patienceNs patience} is included.
     *
     * @return ns
     */
    long connectTimeoutNs();

    /**
     * Whether the trial must end now.
     *
     * @return true after a stop or an interrupt
     */
    boolean isStopped();

    /**
     * Whether it must end because the trial was aborted, so that its results are not judged: long
     * work is skipped.
     *
     * @return true only where {@link #isStopped()} is
     */
    default boolean isBrokenOff() {
        return false;
    }

    /**
     * How a hot thread waits, with {@link IdleMode#AUTO} already resolved.
     *
     * @param hotThread as declared by the factory
     * @return never AUTO
     */
    IdleMode idleMode(HotThread hotThread);

    /**
     * What a hot thread waits with, in that mode.
     *
     * @param hotThread as declared by the factory
     * @return a new one, for that thread only
     */
    Idle idleStrategy(HotThread hotThread);

    /**
     * Pins the calling thread to the core planned for this hot thread, if one is planned; never
     * call it on the main thread.
     *
     * @param hotThread as declared by the factory
     */
    void pin(HotThread hotThread);

    /**
     * To be called by a role that waited for the start, with its first action after it: its
     * lateness becomes part of its result. If it is not called, the role counts as late where it
     * learned of its start too late. Each starting thread may call it; the last call counts.
     */
    default void began() {}

    /**
     * One line for the user about the role's progress ({@code Waiting for 2 receivers...[1]}); not
     * during a measurement.
     *
     * @param line without a line end
     */
    void log(String line);
}
