package io.tickmark.wire.fix;

/** What is at the position that a {@link FixFramer} examined. */
public enum FixFraming {
    /** A whole message with the right body length and checksum. */
    MESSAGE,
    /** The beginning of one: ask again, from the same byte, when more has come. */
    INCOMPLETE,
    /** Bytes that are no message; go on at {@link FixFramer#end()}. */
    GARBLED
}
