package io.tickmark.lab.live;

import io.tickmark.kernel.record.LatencyInterval;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How all roles of one name stand.
 *
 * @param role name of the role
 * @param instances how many of them have told
 * @param step label of the step that one of them is in, empty before the first
 * @param counts totals of the trial by name, summed
 * @param perSecond rates of the last second by name, summed over those who told lately
 * @param gauges what is so now by name, the largest of those who told lately
 * @param latencies of the last second by name, put together; those without values are left out
 */
public record LiveRole(
        String role,
        int instances,
        String step,
        Map<String, Long> counts,
        Map<String, Double> perSecond,
        Map<String, Long> gauges,
        Map<String, LatencyInterval> latencies) {

    /** The same in less room: figures without buckets. */
    LiveRole withoutBuckets() {
        final Map<String, LatencyInterval> figures = new LinkedHashMap<>(latencies);
        figures.replaceAll((name, interval) -> interval.withoutBuckets());
        return new LiveRole(role, instances, step, counts, perSecond, gauges, figures);
    }
}
