package io.tickmark.transport.broker;

import java.util.Map;
import java.util.Optional;

/** What a client knows of its connection to the servers, which the ends opened by it report. */
public interface ConnectionState {
    /**
     * Whether the servers can be reached.
     *
     * @return true where only the ends know
     */
    default boolean isServed() {
        return true;
    }

    /**
     * Whether the servers have ended although nobody on this side ended them.
     *
     * @return false where that is not known
     */
    default boolean isGone() {
        return false;
    }

    /**
     * What is reported of it.
     *
     * @return facts by name
     */
    default Map<String, Object> facts() {
        return Map.of();
    }

    /**
     * Whether a fact counts events of this connection.
     *
     * @param fact a name in {@link #facts}
     * @return false by default
     */
    default boolean isCount(final String fact) {
        return false;
    }

    /**
     * Which servers that were started here have ended although nobody ended them, and how.
     *
     * @return sentences; empty where none has, or others know
     */
    default Optional<String> ended() {
        return Optional.empty();
    }

    /**
     * What went wrong.
     *
     * @return sentences; empty where nothing did
     */
    default Optional<String> errors() {
        return Optional.empty();
    }
}
