package io.tickmark.workloads.feed.conflate;

import io.tickmark.workloads.feed.tick.LastValues;
import org.agrona.DirectBuffer;

/**
 * Merge: of each symbol the last value goes, as soon as it may. Keeps no message, only which
 * symbols have news; a queue never grows beyond one entry a symbol.
 */
final class MergeQueue implements OutboundQueue {
    private final int firstSymbol;
    private final LastValues values;
    private final boolean[] isDirty;
    private final SymbolRing ready;
    private final Cooling cooling;
    private long merged;
    private int waiting;

    MergeQueue(final QueueContext session) {
        firstSymbol = session.firstSymbol();
        values = session.lastValues();
        isDirty = new boolean[session.symbols()];
        ready = new SymbolRing(session.symbols());
        cooling = new Cooling(session.symbols(), session.minGapNs());
    }

    @Override
    public boolean offer(
            final int symbol,
            final DirectBuffer buffer,
            final int offset,
            final long nowNs,
            final boolean isOpen) {
        final int index = symbol - firstSymbol;
        if (isDirty[index]) {
            merged++;
            return true;
        }
        isDirty[index] = true;
        waiting++;
        if (!cooling.isCooling(index)) {
            ready.add(index);
        }
        return true;
    }

    @Override
    public void drain(final long nowNs, final Receiver receiver) {
        free(nowNs);
        while (!ready.isEmpty()) {
            final int index = ready.first();
            if (!receiver.take(values.buffer(), values.offset(firstSymbol + index))) {
                return;
            }
            ready.removeFirst();
            isDirty[index] = false;
            waiting--;
            cooling.sent(index, nowNs);
        }
    }

    private void free(final long nowNs) {
        for (int index = cooling.pollFree(nowNs); index >= 0; index = cooling.pollFree(nowNs)) {
            if (isDirty[index]) {
                ready.add(index);
            }
        }
    }

    @Override
    public long dueNs() {
        if (!ready.isEmpty()) {
            return Long.MIN_VALUE;
        }
        return waiting == 0 || cooling.isEmpty() ? Long.MAX_VALUE : cooling.nextFreeNs();
    }

    @Override
    public long merged() {
        return merged;
    }

    @Override
    public long dropped() {
        return 0;
    }

    @Override
    public long waiting() {
        return waiting;
    }
}
