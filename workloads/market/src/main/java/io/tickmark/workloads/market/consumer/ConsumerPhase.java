package io.tickmark.workloads.market.consumer;

/** Where a connection of the consumer is in its life. */
enum ConsumerPhase {
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
    /** All images are there. */
    STEADY("steady state");

    private final String words;

    ConsumerPhase(final String words) {
        this.words = words;
    }

    /** For sentences. */
    String words() {
        return words;
    }
}
