package io.tickmark.kernel.record;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * All that one role records in one trial: named latencies and counters, divided into steps.
 * Recorders and counters are made before the hot thread starts; a reporter's thread drains them
 * into the role's files.
 */
public interface Recording {
    /**
     * The recorder of that name, made at the first call.
     *
     * @param name one of {@link io.tickmark.kernel.result.Latencies}
     * @return the recorder; one writer thread
     */
    LatencyRecorder latency(String name);

    /**
     * The counter of that name, made at the first call; shown in stats.csv and progress lines as a
     * total and a rate.
     *
     * @param name one of {@link io.tickmark.kernel.result.Counts} or the role's own
     * @return the counter; one writer thread
     */
    Counter counter(String name);

    /**
     * Begins a step: intervals from now on carry its label. Not on the hot path.
     *
     * @param step number, from 0
     * @param label for logs and files, for example {@code 64B}
     */
    void beginStep(int step, String label);

    /**
     * Ends the step: drains what is left. Called by the thread that writes the recorders, while it
     * writes nothing.
     *
     * @return the step's total histograms by name, only those with at least one value, owned by the
     *     caller
     */
    Map<String, Histogram> endStep();
}
