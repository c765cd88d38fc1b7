package io.tickmark.workloads.messaging.store;

/** Takes how many measured messages of one topic the store has called stable. */
@FunctionalInterface
interface AcknowledgedCell {
    /** {@code messages} in all, from the first one on without holes. */
    void stable(long messages);
}
