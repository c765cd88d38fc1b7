package io.tickmark.kernel.result;

import java.util.regex.Pattern;

/**
 * Names of the latencies that a {@link StepResult} may hold; the same in JSON, CSV, logs and
 * report.
 */
public final class Latencies {
    /** Closed loop: ping to echo. */
    public static final String ROUND_TRIP_NS = "roundTripNs";

    /** Open loop: received minus intended; a stall counts for every message that it delayed. */
    public static final String RESPONSE_NS = "responseNs";

    /** Open loop: received minus actually sent. */
    public static final String SERVICE_NS = "serviceNs";

    /** Time spent inside the engine's send call. */
    public static final String SEND_NS = "sendNs";

    /**
     * Intended send to stable: the store has the message as safely as its durability class says.
     */
    public static final String STABLE_NS = "stableNs";

    private static final Pattern BETWEEN_ROLES =
            Pattern.compile("(?i)(?!post).*(response|service)Ns(-\\d+)?");

    private Latencies() {}

    /**
     * Whether a latency is from the clock of one role to that of another where messages do not
     * return to their sender; posts come back to the clock that they are from.
     *
     * @param name of a latency, of one thread ({@code responseNs-2}) or of all
     * @return true for response and service times of whatever a role receives
     */
    public static boolean isBetweenRoles(final String name) {
        return BETWEEN_ROLES.matcher(name).matches();
    }
}
