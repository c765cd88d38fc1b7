package io.tickmark.workloads.feed.conflate;

import org.agrona.DirectBuffer;

/**
 * Buffer: every message goes, in the order of its symbol, when it may. Throws nothing away; where
 * its limit is reached it says so, and the session ends.
 */
final class BufferQueue implements OutboundQueue {
    private final int firstSymbol;
    private final boolean isPaced;
    private final Records records;
    private final SymbolRing ready;
    private final Cooling cooling;

    BufferQueue(final QueueContext session) {
        firstSymbol = session.firstSymbol();
        isPaced = session.minGapNs() > 0;
        final int lists = isPaced ? session.symbols() : 1;
        records = new Records(lists, session);
        ready = new SymbolRing(lists);
        cooling = new Cooling(lists, session.minGapNs());
    }

    @Override
    public boolean offer(
            final int symbol,
            final DirectBuffer buffer,
            final int offset,
            final long nowNs,
            final boolean isOpen) {
        final int list = isPaced ? symbol - firstSymbol : 0;
        final boolean wasEmpty = records.isEmpty(list);
        if (!records.add(list, buffer, offset)) {
            return false;
        }
        if (wasEmpty && !cooling.isCooling(list)) {
            ready.add(list);
        }
        return true;
    }

    @Override
    public void drain(final long nowNs, final Receiver receiver) {
        for (int list = cooling.pollFree(nowNs); list >= 0; list = cooling.pollFree(nowNs)) {
            if (!records.isEmpty(list)) {
                ready.add(list);
            }
        }
        while (!ready.isEmpty()) {
            final int list = ready.first();
            if (!receiver.take(records.buffer(), records.firstOffset(list))) {
                return;
            }
            records.removeFirst(list);
            if (isPaced || records.isEmpty(list)) {
                ready.removeFirst();
                cooling.sent(list, nowNs);
            }
        }
    }

    @Override
    public long dueNs() {
        if (!ready.isEmpty()) {
            return Long.MIN_VALUE;
        }
        return records.size() == 0 || cooling.isEmpty() ? Long.MAX_VALUE : cooling.nextFreeNs();
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
        return records.size();
    }
}
