package io.tickmark.wire.match;

/** The direction of a stream, seen from the gateway. */
public enum FixSide {
    /** Towards the gateway's port for producers: messages go in. */
    IN,
    /** From the gateway's port for consumers: copies come out. */
    OUT,
    /** From the port for producers: answers of the session. */
    BACK,
    /** Towards the port for consumers: requests and answers of the session. */
    REQUEST
}
