package io.tickmark.transport;

/** The two sides of an {@link Exchange}. */
public enum ExchangeSide {
    /** Owns the address; the publisher of a test. */
    BIND,
    /** Connects to the address; a subscriber of a test, or the client of a foreign echo service. */
    CONNECT
}
