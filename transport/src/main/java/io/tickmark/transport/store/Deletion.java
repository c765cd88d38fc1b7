package io.tickmark.transport.store;

/** When a store deletes messages; the parameter {@code deletion} of every store. */
public enum Deletion {
    /** Never: every message stays on disk (source-paced). */
    KEPT,
    /** Once the receiver has acknowledged them (receiver-paced). */
    ACKNOWLEDGED
}
