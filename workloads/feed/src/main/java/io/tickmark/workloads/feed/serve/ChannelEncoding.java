package io.tickmark.workloads.feed.serve;

/** What frames are made of. */
public enum ChannelEncoding {
    /** Fixed little-endian records. */
    BINARY,
    /** Text. */
    JSON
}
