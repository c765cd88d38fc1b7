package io.tickmark.workloads.feed.session;

import io.tickmark.workloads.feed.conflate.OutboundQueue;
import org.agrona.DirectBuffer;

/** In place of a queue that failed, until its session has ended: keeps nothing, has nothing. */
enum NoQueue implements OutboundQueue {
    /** It has no state. */
    INSTANCE;

    @Override
    public boolean offer(
            final int symbol,
            final DirectBuffer buffer,
            final int offset,
            final long nowNs,
            final boolean isOpen) {
        return false;
    }

    @Override
    public void drain(final long nowNs, final Receiver receiver) {
        // there is nothing
    }

    @Override
    public long dueNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public long merged() {
        return 0;
    }

    @Override
    public long dropped() {
        return 0;
    }

    @Override
    public long waiting() {
        return 0;
    }
}
