package io.tickmark.workloads.messaging;

import io.tickmark.kernel.role.Endpoints;
import java.util.Map;

/**
 * How long a publisher may be silent although all is well, told to its subscribers by the
 * controller: so that a slow pace, a pause between bursts or a ping that is waited for is not taken
 * for a publisher that has died. By hand nobody tells it; then {@code --idle-timeout} has to.
 */
public final class Silence {
    private static final String NAME = "longestSilenceNs";

    private Silence() {}

    /**
     * What a publisher tells.
     *
     * @param ns the longest time without a message
     * @return to go with its other endpoints
     */
    public static Endpoints tell(final long ns) {
        return Endpoints.of(Map.of(NAME, Long.toString(ns)));
    }

    /**
     * What publishers told.
     *
     * @param endpoints of all roles
     * @return ns, of the longest; 0 where nobody told any
     */
    public static long told(final Endpoints endpoints) {
        return endpoints.named(NAME).stream().mapToLong(Long::parseLong).max().orElse(0);
    }
}
