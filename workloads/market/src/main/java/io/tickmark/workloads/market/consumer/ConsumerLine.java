package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageTemplate;

/**
 * A connection of the consumer on one of the two libraries. All methods are called on the
 * connection's thread; received messages are passed to an {@link ItemIntake}.
 */
interface ConsumerLine {
    /**
     * On the library of the settings, which nothing else of the consumer knows. Made before the
     * start is planned: a library takes a while to load.
     */
    static ConsumerLine of(
            final ConsumerShared shared,
            final int number,
            final WatchedItems items,
            final ItemIntake intake,
            final long ownUserId) {
        return switch (shared.settings().api()) {
            case ETA -> new EtaConsumerLine(shared, number, items, intake, ownUserId);
            case EMA -> new EmaConsumerLine(shared, number, items, intake, ownUserId);
        };
    }

    /** The measuring fields of a message. */
    interface Marks {
        /** Number of the message, from 1. */
        long sequence();

        /** When its encoding began, 0 for a message without a time stamp. */
        long takenNs();

        /** When it was due. */
        long intendedNs();
    }

    /** Begins to connect. */
    void open();

    /** Receives available messages, where this thread receives. */
    void dispatch(long nowNs);

    /** Waits, at most this long. */
    void idle(long forNs);

    Phase phase();

    void phase(Phase reached);

    /** Moves on as far as it can; true once items may be requested. */
    boolean isReady();

    /** Why items cannot be requested yet. */
    String diagnosis();

    FieldDictionary dictionary();

    /** Requests an item; false where it must wait. */
    boolean request(int index, boolean isSnapshot);

    /** Whether the library itself repeats unanswered requests. */
    default boolean asksAgain() {
        return false;
    }

    /** Sends a post of an item; false where it must wait. */
    boolean post(int index, MessageTemplate template, Marks marks);

    /** Sends a generic message of an item; false where it must wait. */
    boolean generic(int index, MessageTemplate template, Marks marks);

    /** Sends what has been gathered. */
    void flush();

    /** Why messages cannot be sent, which no waiting helps; empty while all is well. */
    String failure();

    /** Id of the library's thread that dispatches for it, 0 where the connection's own does. */
    default long libraryThread() {
        return 0;
    }

    /** From the login request to its answer, 0 before. */
    long loginNs();

    /** Closes the connection, after which nothing is received; idempotent. */
    void close();

    /** Where a connection of the consumer is in its life. */
    enum Phase {
        /** Not connected yet. */
        CONNECTING("connecting"),
        /** Waiting for the answer to the login. */
        LOGIN("logging in"),
        /** Waiting for the service to be up. */
        SERVICE("waiting for the service"),
        /** Waiting for the dictionary. */
        DICTIONARY("loading the dictionary"),
        /** Asking for items once before anything counts. */
        PRIMING("priming"),
        /** Asking for items and waiting for their images. */
        STARTUP("startup"),
        /** All images have arrived. */
        STEADY("steady state");

        private final String words;

        Phase(final String words) {
            this.words = words;
        }

        /** For sentences. */
        String words() {
            return words;
        }
    }
}
