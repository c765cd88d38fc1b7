package io.tickmark.workloads.feed.conflate;

import org.agrona.DirectBuffer;

/**
 * Ignore: a message that may not go when it comes is thrown away, so nothing is ever late. What
 * waits here may go and waits for the flush only.
 */
final class IgnoreQueue implements OutboundQueue {
    private final int firstSymbol;
    private final long minGapNs;
    private final long[] freeAtNs;
    private final boolean[] wasTaken;
    private final Records records;
    private long dropped;

    IgnoreQueue(final QueueContext session) {
        firstSymbol = session.firstSymbol();
        minGapNs = session.minGapNs();
        freeAtNs = new long[session.symbols()];
        wasTaken = new boolean[session.symbols()];
        records = new Records(1, session);
    }

    @Override
    public boolean offer(
            final int symbol,
            final DirectBuffer buffer,
            final int offset,
            final long nowNs,
            final boolean isOpen) {
        final int index = symbol - firstSymbol;
        final boolean isFree = !wasTaken[index] || nowNs - freeAtNs[index] >= 0;
        if (!isOpen || !isFree || !records.add(0, buffer, offset)) {
            dropped++;
            return true;
        }
        wasTaken[index] = true;
        freeAtNs[index] = nowNs + minGapNs;
        return true;
    }

    @Override
    public void drain(final long nowNs, final Receiver receiver) {
        boolean isTaken = true;
        while (!records.isEmpty(0)) {
            isTaken = isTaken && receiver.take(records.buffer(), records.firstOffset(0));
            dropped += isTaken ? 0 : 1; // it would be late
            records.removeFirst(0);
        }
    }

    @Override
    public long dueNs() {
        return records.size() == 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
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
        return records.size();
    }
}
