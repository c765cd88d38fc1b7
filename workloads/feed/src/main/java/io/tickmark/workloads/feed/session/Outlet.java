package io.tickmark.workloads.feed.session;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a session writes; its owner thread alone, except {@link #close}. Never blocks. */
public interface Outlet {
    /**
     * Writes as much as goes at once.
     *
     * @param bytes what was written is consumed
     * @throws IOException if the client is gone
     */
    void write(ByteBuffer bytes) throws IOException;

    /**
     * Whether the client is there to take something; a client that polls is there only while a
     * request of it waits.
     *
     * @return true for most
     */
    default boolean isReady() {
        return true;
    }

    /**
     * Pushes out what the outlet itself holds. Called after writes.
     *
     * @throws IOException if the client is gone
     */
    default void flush() throws IOException {}

    /** Ends the connection; idempotent, does not throw. */
    void close();

    /**
     * Ends the connection and says why where the transport can; as {@link #close} else.
     *
     * @param ending of the session
     */
    default void close(final Ending ending) {
        close();
    }
}
