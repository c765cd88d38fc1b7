package io.tickmark.workloads.market.measure;

/** Takes each latency of a connection; called on its hot thread. */
@FunctionalInterface
public interface LatencyListener {
    /** Takes nothing. */
    LatencyListener NONE = (kind, sentNs, receivedNs) -> {};

    /**
     * Takes a latency; must not wait and not allocate.
     *
     * @param kind of message
     * @param sentNs when its encoding began
     * @param receivedNs when it was decoded
     */
    void add(LatencyKind kind, long sentNs, long receivedNs);
}
