package io.tickmark.transport;

/**
 * What an engine does with the messages of tests without a store, in terms that are the same for
 * all engines, so that the figures of several can be read side by side. Each is a few words.
 *
 * @param kept where a message is once it is acknowledged, as a class of durability
 * @param acknowledged who confirms a message to its publisher, and what that means; {@code none}
 *     where nobody does
 * @param synced when a message is forced to disk; {@code none} for never
 * @param batching how the engine gathers messages; {@code none} for not at all
 * @param compression of messages; {@code none} for none
 * @param slowReceiver what happens to messages that a receiver is too slow for
 */
public record PlainMessages(
        String kept,
        String acknowledged,
        String synced,
        String batching,
        String compression,
        String slowReceiver) {
    /** For what an engine does not do. */
    public static final String NONE = "none";

    private static final String IN_MEMORY = "D0 memory";

    /**
     * In memory, acknowledged by nobody, gathered and compressed by nothing.
     *
     * @param traits of the channel, which say what happens to a slow receiver
     * @return the terms
     */
    public static PlainMessages inMemory(final TransportTraits traits) {
        return new PlainMessages(
                IN_MEMORY,
                NONE,
                NONE,
                NONE,
                NONE,
                traits.backPressured()
                        ? "pushes back"
                        : traits.reliable() ? "messages wait in the engine" : "drops, counted");
    }

    /**
     * The same with another value.
     *
     * @param by who confirms a message
     * @return the terms
     */
    public PlainMessages acknowledged(final String by) {
        return new PlainMessages(kept, by, synced, batching, compression, slowReceiver);
    }

    /**
     * The same with another value.
     *
     * @param how messages are gathered
     * @return the terms
     */
    public PlainMessages batching(final String how) {
        return new PlainMessages(kept, acknowledged, synced, how, compression, slowReceiver);
    }

    /**
     * The same with another value.
     *
     * @param what happens to messages for a slow receiver
     * @return the terms
     */
    public PlainMessages slowReceiver(final String what) {
        return new PlainMessages(kept, acknowledged, synced, batching, compression, what);
    }
}
