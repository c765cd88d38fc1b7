package io.tickmark.engines.dds;

/** What a late reader gets of what was written before it came. */
enum Durability {
    /** Nothing. */
    VOLATILE,
    /** What the writer still holds. */
    TRANSIENT_LOCAL
}
