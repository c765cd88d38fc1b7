package io.tickmark.workloads.feed.conflate;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/** A user's own policy that blocks its thread, so that it flushes other sessions too late. */
public final class SleepyPolicy implements ConflationPolicy {
    private static final long ASLEEP_NS = TimeUnit.MILLISECONDS.toNanos(5);

    public SleepyPolicy() {}

    @Override
    public String name() {
        return "sleepy";
    }

    @Override
    public String summary() {
        return "Sleeps before it sends.";
    }

    @Override
    public OutboundQueue queue(final QueueContext session) {
        return new Sleepy(new ConflationPolicies.BufferQueue(session));
    }

    private record Sleepy(OutboundQueue queue) implements OutboundQueue {
        @Override
        public boolean offer(
                final int symbol,
                final DirectBuffer buffer,
                final int offset,
                final long nowNs,
                final boolean isOpen) {
            return queue.offer(symbol, buffer, offset, nowNs, isOpen);
        }

        @Override
        public void drain(final long nowNs, final Receiver receiver) {
            final long endNs = System.nanoTime() + ASLEEP_NS;
            while (System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(ASLEEP_NS);
            }
            queue.drain(nowNs, receiver);
        }

        @Override
        public long dueNs() {
            return queue.dueNs();
        }

        @Override
        public long merged() {
            return queue.merged();
        }

        @Override
        public long dropped() {
            return queue.dropped();
        }

        @Override
        public long waiting() {
            return queue.waiting();
        }
    }
}
