package io.tickmark.workloads.feed.session;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The output of a session; used only by its owner thread, except {@link #close}. Never blocks. */
public interface Outlet {
    /**
     * Writes as much as possible at once.
     *
     * @param bytes what was written is consumed
     * @throws IOException if the client is gone
     */
    void write(ByteBuffer bytes) throws IOException;

    /**
     * Whether the client can take something; a client that polls can only while one of its requests
     * waits.
     *
     * @return true for most
     */
    default boolean isReady() {
        return true;
    }

    /**
     * Flushes what the outlet itself buffers. Called after writes.
     *
     * @throws IOException if the client is gone
     */
    default void flush() throws IOException {}

    /** Ends the connection; idempotent, does not throw. */
    void close();

    /**
     * Ends the connection with the reason where the transport supports it; otherwise like {@link
     * #close}.
     *
     * @param ending of the session
     */
    default void close(final Ending ending) {
        close();
    }
}
