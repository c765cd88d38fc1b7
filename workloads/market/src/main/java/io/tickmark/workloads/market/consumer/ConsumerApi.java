package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.rssl.LibraryConnection;

/** What a consumer needs of a library; received messages are passed to an {@link ItemIntake}. */
interface ConsumerApi extends LibraryConnection {
    /**
     * For the library of the settings. To be made before the start is planned: a library takes a
     * while to load.
     */
    static ConsumerApi of(
            final ConsumerShared shared,
            final int number,
            final WatchedItems items,
            final ItemIntake intake,
            final long ownUserId) {
        return shared.settings()
                .api()
                .make(
                        () -> new EtaConsumer(shared, number, items, intake, ownUserId),
                        () -> new EmaConsumer(shared, number, items, intake, ownUserId));
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

    Phase phase();

    void phase(Phase reached);

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

    /** Where a connection of the consumer is in its life. */
    enum Phase {
        /** Connecting, then waiting for the answer to the login. */
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
