package io.tickmark.kernel.record;

import io.tickmark.kernel.stall.StallRecording;

/**
 * Everything that one role records in one trial: named latencies and counters, divided into steps.
 * Recorders and counters are created before the hot thread starts; a reporter's thread drains them
 * into the role's files.
 */
public interface Recording {
    /**
     * The recorder of that name, created at the first call.
     *
     * @param name one of {@link io.tickmark.kernel.result.Latencies}
     * @return the recorder; one writer thread
     */
    LatencyRecorder latency(String name);

    /**
     * The counter of that name, created at the first call; shown in stats.csv and progress lines as
     * a total and a rate.
     *
     * @param name one of {@link io.tickmark.kernel.result.Counts} or the role's own
     * @return the counter; one writer thread
     */
    Counter counter(String name);

    /**
     * A gauge, a current value instead of a total, such as a lag, created at the first call; shown
     * as it is.
     *
     * @param name one of {@link io.tickmark.kernel.result.Counts} or the role's own
     * @return to be set; one writer thread
     */
    Counter gauge(String name);

    /**
     * The log of each latency of that name, created at the first call; for roles with a requested
     * log (others use {@link LatencyLog#off()}). Off where the recording keeps no files.
     *
     * @param name one of {@link io.tickmark.kernel.result.Latencies}
     * @return the log; one writer thread
     */
    LatencyLog latencyLog(String name);

    /**
     * Where stalls of hot threads and the times of messages are noted; discarded where the
     * recording keeps no files.
     *
     * @return the same for the whole trial
     */
    StallRecording stalls();

    /**
     * Begins a step: what was recorded before, outside a step, is discarded, and intervals from now
     * on carry its label. Called by the thread that writes the recorders, while it writes nothing;
     * not on the hot path.
     *
     * @param step number, from 0
     * @param label for logs and files, for example {@code 64B}
     */
    void beginStep(int step, String label);

    /**
     * Ends the step: drains what is left; files are written later by the reporter's thread. Called
     * by the thread that writes the recorders, while it writes nothing.
     *
     * @return what was recorded since {@link #beginStep}, owned by the caller
     */
    StepRecording endStep();
}
