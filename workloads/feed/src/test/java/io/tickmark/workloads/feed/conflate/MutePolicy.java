package io.tickmark.workloads.feed.conflate;

import org.agrona.DirectBuffer;

/** A user's own policy: sessions that do not begin with the feed's first symbol get nothing. */
public final class MutePolicy implements ConflationPolicy {
    public MutePolicy() {}

    @Override
    public String name() {
        return "mute-later-symbols";
    }

    @Override
    public String summary() {
        return "Throws messages away.";
    }

    @Override
    public OutboundQueue queue(final QueueContext session) {
        return session.firstSymbol() == 0
                ? new ConflationPolicies.BufferQueue(session)
                : new Nothing();
    }

    private static final class Nothing implements OutboundQueue {
        private long dropped;

        @Override
        public boolean offer(
                final int symbol,
                final DirectBuffer buffer,
                final int offset,
                final long nowNs,
                final boolean isOpen) {
            dropped++;
            return true;
        }

        @Override
        public void drain(final long nowNs, final Receiver receiver) {
            // there is never one
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
            return dropped;
        }

        @Override
        public long waiting() {
            return 0;
        }
    }
}
