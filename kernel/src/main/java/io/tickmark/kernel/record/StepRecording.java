package io.tickmark.kernel.record;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was recorded in one step.
 *
 * @param latencies total histograms in ns by name, only those with at least one value; owned by the
 *     receiver
 * @param counts of what the histograms do not contain, by {@link io.tickmark.kernel.result.Counts}
 *     name: latencies that were not positive or out of range (where anything records latencies), of
 *     all kinds together and of each that has some; latencies missing in the log of each latency
 *     (where there is one); to be added to the step's counts
 */
public record StepRecording(Map<String, Histogram> latencies, Map<String, Long> counts) {
    /** Copies the maps. */
    public StepRecording {
        latencies = Collections.unmodifiableMap(new LinkedHashMap<>(latencies));
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }
}
