package io.tickmark.workloads.fix.gateway;

/** Where sessions keep sequence numbers and messages. */
public enum StoreKind {
    /** Only sequence numbers, in memory: a ResendRequest is answered with a gap fill. */
    NONE,
    /** Both in memory: they outlive connections. */
    MEMORY,
    /** Both in files: they outlive the process. */
    FILE
}
