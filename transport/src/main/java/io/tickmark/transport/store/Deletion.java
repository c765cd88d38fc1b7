package io.tickmark.transport.store;

/** When a store deletes messages; every store has it as its parameter {@code deletion}. */
public enum Deletion {
    /** Never: every message stays on disk (source-paced). */
    KEPT,
    /** Once the receiver has acknowledged them (receiver-paced). */
    ACKNOWLEDGED
}
