package sample;

import io.tickmark.workloads.feed.conflate.ConflationPolicy;
import io.tickmark.workloads.feed.conflate.OutboundQueue;
import io.tickmark.workloads.feed.conflate.QueueContext;
import io.tickmark.workloads.feed.tick.LastValues;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import org.agrona.DirectBuffer;

/**
 * A sample of a policy of your own, to build and put into the folder of plug-ins
 * (docs/plugins.md): like merge, but a symbol whose quote has not moved since it was last sent is
 * not sent at all. It has no maximum frequency of its own and takes whatever gap the session asks
 * for by scanning in order.
 */
public final class MovesPolicy implements ConflationPolicy {
    /** For the service loader. */
    public MovesPolicy() {}

    @Override
    public String name() {
        return "moves";
    }

    @Override
    public String summary() {
        return "Like merge, but a symbol whose quote has not moved is not sent (a custom policy, to copy from).";
    }

    @Override
    public OutboundQueue queue(final QueueContext session) {
        return new MovesQueue(session);
    }

    /** Symbols with news in the order of their news, and when each may be sent again. */
    private static final class MovesQueue implements OutboundQueue {
        private final QueueContext session;
        private final LastValues values;
        private final Deque<Integer> news = new ArrayDeque<>();
        private final BitSet isWaiting = new BitSet();
        private final int[] sentBid;
        private final int[] sentAsk;
        private final long[] freeAtNs;
        private long merged;
        private long dropped;

        MovesQueue(final QueueContext session) {
            this.session = session;
            values = session.lastValues();
            sentBid = new int[session.symbols()];
            sentAsk = new int[session.symbols()];
            freeAtNs = new long[session.symbols()];
            java.util.Arrays.fill(freeAtNs, Long.MIN_VALUE / 2);
        }

        @Override
        public boolean offer(
                final int symbol,
                final DirectBuffer buffer,
                final int offset,
                final long nowNs,
                final boolean isOpen) {
            final int index = symbol - session.firstSymbol();
            if (isWaiting.get(index)) {
                merged++;
            } else {
                isWaiting.set(index);
                news.add(index);
            }
            return true;
        }

        @Override
        public void drain(final long nowNs, final Receiver receiver) {
            for (int left = news.size(); left > 0; left--) {
                final int index = news.removeFirst();
                if (freeAtNs[index] > nowNs) {
                    news.addLast(index);
                } else if (!send(index, nowNs, receiver)) {
                    news.addFirst(index);
                    return;
                }
            }
        }

        private boolean send(final int index, final long nowNs, final Receiver receiver) {
            final int at = values.offset(session.firstSymbol() + index);
            final int bid = Tick.bid(values.buffer(), at);
            final int ask = Tick.ask(values.buffer(), at);
            if (bid == sentBid[index] && ask == sentAsk[index]) {
                dropped++;
            } else if (receiver.take(values.buffer(), at)) {
                sentBid[index] = bid;
                sentAsk[index] = ask;
                freeAtNs[index] = nowNs + session.minGapNs();
            } else {
                return false;
            }
            isWaiting.clear(index);
            return true;
        }

        @Override
        public long dueNs() {
            long due = Long.MAX_VALUE;
            for (final int index : news) {
                due = Math.min(due, freeAtNs[index]);
            }
            return due;
        }

        @Override
        public long merged() {
            return merged;
        }

        @Override
        public long dropped() {
            return dropped;
        }

        @Override
        public long waiting() {
            return news.size();
        }
    }
}
