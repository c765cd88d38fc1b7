package io.tickmark.lab.live;

import io.tickmark.kernel.record.LatencyInterval;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of all roles of one name.
 *
 * @param role name of the role
 * @param instances how many of them have reported
 * @param step label of the step that one of them is in, empty before the first
 * @param counts totals of the trial by name, summed
 * @param perSecond rates of the last second by name, summed over those that reported recently
 * @param gauges current values by name, the largest of those that reported recently; the parts of a
 *     stall are of the thread that was stalled longest
 * @param latencies of the last second by name, merged; without empty ones
 */
public record LiveRole(
        String role,
        int instances,
        String step,
        Map<String, Long> counts,
        Map<String, Double> perSecond,
        Map<String, Long> gauges,
        Map<String, LatencyInterval> latencies) {

    /** The same in a smaller form: figures without buckets. */
    LiveRole withoutBuckets() {
        final Map<String, LatencyInterval> figures = new LinkedHashMap<>(latencies);
        figures.replaceAll((name, interval) -> interval.withoutBuckets());
        return new LiveRole(role, instances, step, counts, perSecond, gauges, figures);
    }
}
