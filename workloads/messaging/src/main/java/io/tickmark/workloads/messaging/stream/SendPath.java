package io.tickmark.workloads.messaging.stream;

/** How messages are passed to the engine. */
public enum SendPath {
    /**
     * Many offered together where they are sent as fast as possible; otherwise claim where the
     * transport has claims, otherwise offer.
     */
    AUTO,
    /** The engine copies the message. */
    OFFER,
    /** The message is written into the engine's own memory. */
    CLAIM,
    /**
     * Intelligent batching: all messages that are due are offered together, and flushed at once
     * where no further one is due. A single one leaves as early as without it; no timer.
     */
    BATCH
}
