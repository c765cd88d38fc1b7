package io.tickmark.engines.dds;

/** What is kept for a reader that has not taken it yet. */
enum HistoryKind {
    /** Everything for reliable channels over the network, the newest otherwise. */
    AUTO,
    /** The newest {@code depth} samples. */
    KEEP_LAST,
    /** Everything, up to the resource limits. */
    KEEP_ALL
}
