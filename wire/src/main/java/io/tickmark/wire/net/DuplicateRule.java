package io.tickmark.wire.net;

/** What is done about packets that a capture has seen more than once. */
public enum DuplicateRule {
    /** Removed from captures on all devices (LINUX_SLL, LINUX_SLL2), kept in others. */
    AUTO,
    /** Removed from any capture. */
    REMOVE,
    /** Kept in any capture. */
    KEEP
}
