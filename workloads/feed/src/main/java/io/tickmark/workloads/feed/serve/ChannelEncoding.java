package io.tickmark.workloads.feed.serve;

/** The encoding of frames. */
public enum ChannelEncoding {
    /** Fixed little-endian records. */
    BINARY,
    /** Text. */
    JSON
}
