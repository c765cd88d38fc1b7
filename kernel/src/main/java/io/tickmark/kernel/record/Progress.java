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
}
