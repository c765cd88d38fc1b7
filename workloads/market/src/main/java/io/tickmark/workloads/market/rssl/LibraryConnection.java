package io.tickmark.workloads.market.rssl;

import io.tickmark.workloads.market.Peer;
import java.time.Duration;

/**
 * A connection that a role opens on one of the two libraries, from connecting to its end. Called by
 * the connection's thread.
 */
public interface LibraryConnection {
    /**
     * Where a role connects to, and as whom.
     *
     * @param kind what users call the other side, such as {@code provider}
     * @param peer where it listens
     * @param connection settings of the connection
     * @param userName of the login, empty for that of the system
     * @param reconnectDelay between two attempts to connect
     */
    record Destination(
            String kind,
            Peer peer,
            ConnectionSettings connection,
            String userName,
            Duration reconnectDelay) {}

    /** Begins to connect. */
    void open();

    /**
     * Receives available messages, where this thread receives.
     *
     * @param nowNs current time
     */
    void dispatch(long nowNs);

    /**
     * Waits.
     *
     * @param forNs at most this long
     */
    void idle(long forNs);

    /** {@return true once items may be requested or published; it moves on as far as it can} */
    boolean isReady();

    /** {@return why it is not ready yet, in words for a sentence} */
    String diagnosis();

    /** {@return ns from the login request to its answer, 0 before} */
    long loginNs();

    /**
     * {@return id of the library's thread that dispatches for it, 0 where the connection's own
     * does}
     */
    default long libraryThread() {
        return 0;
    }

    /** Closes the connection, which is no failure; nothing is received afterwards. Idempotent. */
    void close();
}
