package io.tickmark.workloads.fix.gateway;

/** What happens to messages for a consumer that does not keep up. */
public enum SlowPolicy {
    /** They are dropped before they get a sequence number: the session sees no gap. Counted. */
    DROP,
    /** The newest of each symbol is kept and sent when there is room again. Counted. */
    CONFLATE,
    /** The consumer is disconnected. */
    DISCONNECT,
    /** All others wait for it, and it is disconnected when that takes too long. */
    BLOCK
}
