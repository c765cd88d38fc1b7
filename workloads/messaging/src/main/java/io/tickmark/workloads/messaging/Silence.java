package io.tickmark.workloads.messaging;

import io.tickmark.kernel.role.Endpoints;
import java.util.Map;

/**
 * How long a publisher may be silent in normal operation, passed to its subscribers by the
 * controller, so that a slow pace, a pause between bursts or waiting for an echo is not taken for a
 * dead publisher. When roles are started by hand, {@code --idle-timeout} has to allow for it.
 */
public final class Silence {
    private static final String NAME = "longestSilenceNs";

    private Silence() {}

    /**
     * What a publisher announces.
     *
     * @param ns the longest time without a message
     * @return to be sent with its other endpoints
     */
    public static Endpoints announce(final long ns) {
        return Endpoints.of(Map.of(NAME, Long.toString(ns)));
    }

    /**
     * What publishers announced.
     *
     * @param endpoints of all roles
     * @return ns, of the longest; 0 where none announced any
     */
    public static long announced(final Endpoints endpoints) {
        return endpoints.named(NAME).stream().mapToLong(Long::parseLong).max().orElse(0);
    }
}
