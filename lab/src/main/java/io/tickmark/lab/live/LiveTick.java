package io.tickmark.lab.live;

import io.tickmark.kernel.record.LatencyInterval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a run: the merged lines of all its roles in a second. Its size does not depend on
 * the number of roles.
 *
 * @param seconds since the run began
 * @param test name of the test
 * @param workload how it is measured
 * @param channel one of its channels
 * @param repeat from 1
 * @param number of the trial in the run, from 1
 * @param of how many trials the run has
 * @param phase of the trial
 * @param roles by name, in the order in which they reported; none before they measure
 * @param missing messages sent and not received so far, in transit or lost; absent where not every
 *     message goes to every receiver
 * @param noiseMaxNs longest gap in the noise floor measured last, ns; absent where none was
 */
public record LiveTick(
        double seconds,
        String test,
        String workload,
        String channel,
        int repeat,
        int number,
        int of,
        String phase,
        List<LiveRole> roles,
        Long missing,
        Long noiseMaxNs)
        implements LiveLine {

    /**
     * The same of a test of another name.
     *
     * @param name of the test
     * @return the tick
     */
    public LiveTick named(final String name) {
        return with(name, roles);
    }

    /**
     * The same in a smaller form: figures without buckets.
     *
     * @return the tick
     */
    public LiveTick withoutBuckets() {
        return with(test, roles.stream().map(LiveRole::withoutBuckets).toList());
    }

    private LiveTick with(final String newTest, final List<LiveRole> newRoles) {
        return new LiveTick(
                seconds,
                newTest,
                workload,
                channel,
                repeat,
                number,
                of,
                phase,
                newRoles,
                missing,
                noiseMaxNs);
    }

    /**
     * The state of all roles of one name.
     *
     * @param role name of the role
     * @param instances how many of them have reported
     * @param step label of the step that one of them is in, empty before the first
     * @param counts totals of the trial by name, summed
     * @param perSecond rates of the last second by name, summed over those that reported recently
     * @param gauges current values by name, the largest of those that reported recently; the parts
     *     of a stall are of the thread that was stalled longest
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
}
