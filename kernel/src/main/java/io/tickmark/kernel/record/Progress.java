package io.tickmark.kernel.record;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far a role is.
 *
 * @param step number of the step, -1 before the first
 * @param label of the step, empty before the first
 * @param inStep whether the step is still going on
 * @param elapsedNs since the first step began, 0 before it
 * @param counters totals by name
 * @param gauges current values, by name
 * @param latencies recorded since the last report to the listener, by name; empty where there were
 *     none
 */
public record Progress(
        int step,
        String label,
        boolean inStep,
        long elapsedNs,
        Map<String, Long> counters,
        Map<String, Long> gauges,
        Map<String, LatencyInterval> latencies) {
    /** Copies the maps. */
    public Progress {
        counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
        gauges = Collections.unmodifiableMap(new LinkedHashMap<>(gauges));
        latencies = Collections.unmodifiableMap(new LinkedHashMap<>(latencies));
    }

    /** Is told once a second how far a role is, on the thread that reports it. */
    @FunctionalInterface
    public interface ProgressListener {
        /**
         * Takes a role's progress; must not wait for its recording.
         *
         * @param progress so far
         */
        void accept(Progress progress);

        /**
         * Does the same work with a made-up progress and passes nothing on: called often during a
         * warm-up, so that this code is not compiled during the measurement, on the measured cores.
         *
         * @param progress made up
         */
        default void rehearse(final Progress progress) {}
    }
}
