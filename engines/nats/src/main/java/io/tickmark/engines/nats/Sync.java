package io.tickmark.engines.nats;

/** When JetStream syncs its files. */
enum Sync {
    /** Now and then, in the background: what is acknowledged may still be in the page cache. */
    INTERVAL,
    /** Before a message is acknowledged. */
    ALWAYS
}
