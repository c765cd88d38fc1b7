package io.tickmark.engines.nats;

/** Where JetStream keeps messages. */
enum Storage {
    /** In files. */
    FILE,
    /** In the server's memory. */
    MEMORY
}
