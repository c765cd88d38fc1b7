package io.tickmark.lab.live;

import java.util.List;

/**
 * How a run stands: the lines that all its roles told in a second, put together. It has the same
 * size for a thousand roles as for two.
 *
 * @param seconds since the run began
 * @param test name of the test
 * @param workload how it is measured
 * @param channel one of its channels
 * @param repeat from 1
 * @param number of the trial in the run, from 1
 * @param of how many trials the run has
 * @param phase of the trial
 * @param roles by name, in the order in which they told; none before they measure
 * @param missing messages sent and not received so far, on their way or lost; absent where not
 *     every message goes to every receiver
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
     * The same in less room: figures without buckets.
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
}
