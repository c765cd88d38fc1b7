package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.lab.result.ThreadNames;
import java.util.Set;

/**
 * Which latencies are read from two clocks, so that the bounds of the hosts' clocks are an error of
 * theirs.
 */
public final class HostClockRule {
    /** Workload whose messages return to their sender. */
    private static final String ROUND_TRIPS = "latency";

    /** From the clock of a sender to that of the capture. */
    private static final Set<String> TO_THE_WIRE = Set.of("intendedToWireNs", "sentToWireNs");

    /** Round trips where messages return, otherwise between sender, capture and receiver. */
    private static final Set<String> BESIDE_THE_WIRE =
            Set.of("applicationNs", "sameOnWireNs", "applicationMinusWireNs");

    private HostClockRule() {}

    /**
     * Whether a latency is from one clock to another: not a round trip, nor the time of a send
     * call.
     *
     * @param workload of the row
     * @param latency its name, of one thread or of all
     * @return whether it spans two clocks
     */
    public static boolean isOneWay(final String workload, final String latency) {
        final String name = ThreadNames.ofAll(latency);
        return TO_THE_WIRE.contains(name)
                || !workload.equals(ROUND_TRIPS)
                        && (Latencies.isBetweenRoles(name) || BESIDE_THE_WIRE.contains(name));
    }
}
