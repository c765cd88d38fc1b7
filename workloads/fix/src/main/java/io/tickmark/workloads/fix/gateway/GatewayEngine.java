package io.tickmark.workloads.fix.gateway;

import java.util.Map;

/**
 * A running gateway: it serves from its creation until it is closed. Any thread may query it; one
 * thread closes it.
 */
public interface GatewayEngine extends AutoCloseable {
    /**
     * Where producers connect.
     *
     * @return the port
     */
    int producersPort();

    /**
     * Where consumers connect.
     *
     * @return the port
     */
    int consumersPort();

    /**
     * Producers logged on now.
     *
     * @return the count
     */
    int producers();

    /**
     * Producers that have ever logged on.
     *
     * @return the count
     */
    int producersEver();

    /**
     * Consumers logged on now.
     *
     * @return the count
     */
    int consumers();

    /**
     * Its counts, by name ({@link GatewayCounts}); unknown ones are absent.
     *
     * @return totals since its creation
     */
    Map<String, Long> counts();

    /** Asks all sessions to log out. */
    void logOut();

    /**
     * Why it gave up.
     *
     * @return empty while it works
     */
    String failure();

    /** Ends it; idempotent, does not throw. */
    @Override
    void close();
}
