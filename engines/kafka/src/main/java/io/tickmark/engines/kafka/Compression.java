package io.tickmark.engines.kafka;

/** How the producer compresses batches. */
enum Compression {
    /** Not at all. */
    NONE,
    /** By gzip. */
    GZIP,
    /** By Snappy. */
    SNAPPY,
    /** By LZ4. */
    LZ4,
    /** By Zstandard. */
    ZSTD
}
