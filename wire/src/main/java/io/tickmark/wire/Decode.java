package io.tickmark.wire;

/** Which messages are looked for in a capture. */
public enum Decode {
    /** FIX on the gateway's ports, stamped messages of this bench everywhere else. */
    AUTO,
    /** FIX only. */
    FIX,
    /** Stamped messages of this bench only. */
    STAMPED
}
