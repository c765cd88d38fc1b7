package io.tickmark.workloads.feed.conflate;

import io.tickmark.kernel.jars.OwnJars;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.tick.LastValues;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The policies to choose from: merge, buffer, ignore, and those found on the class path. */
public final class ConflationPolicies {
    private final Map<String, ConflationPolicy> byName = new LinkedHashMap<>();

    /** Those that come with tickmark and those that {@link java.util.ServiceLoader} finds. */
    public ConflationPolicies() {
        BuiltInPolicy.ALL.forEach(this::add);
        OwnJars.services(ConflationPolicy.class, Thread.currentThread().getContextClassLoader())
                .forEach(this::add);
    }

    private void add(final ConflationPolicy policy) {
        if (byName.putIfAbsent(policy.name(), policy) != null) {
            throw UserError.environment(
                    "two conflation policies on the class path are called '"
                            + policy.name()
                            + "'; rename one.");
        }
    }

    /**
     * All of them.
     *
     * @return the built-in ones first
     */
    public Collection<ConflationPolicy> all() {
        return List.copyOf(byName.values());
    }

    /**
     * The policy of that name.
     *
     * @param name to look up
     * @return the policy
     * @throws UserError if there is none
     */
    public ConflationPolicy find(final String name) {
        final ConflationPolicy policy = byName.get(name);
        if (policy == null) {
            throw UserError.usage(
                    "conflation: '"
                            + name
                            + "' is not a policy; known are "
                            + String.join(", ", byName.keySet())
                            + ".");
        }
        return policy;
    }

    /**
     * A policy that comes with tickmark.
     *
     * @param queues makes its queues
     */
    private record BuiltInPolicy(
            String name, String summary, Function<QueueContext, OutboundQueue> queues)
            implements ConflationPolicy {

        static final List<ConflationPolicy> ALL =
                List.of(
                        new BuiltInPolicy(
                                "merge",
                                "Only the last value of a symbol is sent when it may be; earlier ones are merged into it.",
                                MergeQueue::new),
                        new BuiltInPolicy(
                                "buffer",
                                "Every message is kept and sent when it may be; nothing is lost.",
                                BufferQueue::new),
                        new BuiltInPolicy(
                                "ignore",
                                "A message that may not be sent when it comes is dropped; nothing is ever late.",
                                IgnoreQueue::new));

        @Override
        public OutboundQueue queue(final QueueContext session) {
            return queues.apply(session);
        }
    }

    /**
     * Buffer: every message is sent, in the order of its symbol, when permitted. Drops nothing;
     * where its limit is reached it reports this, and the session ends.
     */
    static final class BufferQueue implements OutboundQueue {
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
        public Sharing sharing() {
            return isPaced ? Sharing.NONE : Sharing.ALL;
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

    /**
     * Ignore: a message that may not be sent on arrival is dropped, so nothing is ever late.
     * Waiting messages only wait for the flush.
     */
    private static final class IgnoreQueue implements OutboundQueue {
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

    /**
     * Merge: the last value of each symbol is sent as soon as permitted. Keeps no message, only
     * which symbols have updates; a queue never grows beyond one entry a symbol.
     */
    private static final class MergeQueue implements OutboundQueue {
        private final int firstSymbol;
        private final LastValues values;
        private final boolean isPaced;
        private final boolean[] isDirty;
        private final SymbolRing ready;
        private final Cooling cooling;
        private long merged;
        private int waiting;

        MergeQueue(final QueueContext session) {
            firstSymbol = session.firstSymbol();
            isPaced = session.minGapNs() > 0;
            values = session.lastValues();
            isDirty = new boolean[session.symbols()];
            ready = new SymbolRing(session.symbols());
            cooling = new Cooling(session.symbols(), session.minGapNs());
        }

        /** In the order of their last messages, where the queue has that of their first. */
        @Override
        public Sharing sharing() {
            return isPaced ? Sharing.NONE : Sharing.LATEST;
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

    /**
     * Symbols that were sent so recently that they may not be sent again yet. All have the same
     * gap, so the first to be sent is the first to be free: a ring without sorting. Allocates
     * nothing after construction.
     */
    private static final class Cooling {
        private final long gapNs;
        private final int[] symbols;
        private final long[] freeAtNs;
        private final boolean[] isCooling;
        private int head;
        private int size;

        Cooling(final int symbols, final long gapNs) {
            this.gapNs = gapNs;
            this.symbols = new int[symbols];
            freeAtNs = new long[symbols];
            isCooling = new boolean[symbols];
        }

        boolean isCooling(final int symbol) {
            return isCooling[symbol];
        }

        /** The symbol was just sent; it must not be cooling already. */
        void sent(final int symbol, final long nowNs) {
            if (gapNs == 0) {
                return;
            }
            isCooling[symbol] = true;
            final int tail = (head + size++) % symbols.length;
            symbols[tail] = symbol;
            freeAtNs[tail] = nowNs + gapNs;
        }

        /** The next symbol that is free again, -1 where none is. */
        int pollFree(final long nowNs) {
            if (size == 0 || freeAtNs[head] - nowNs > 0) {
                return -1;
            }
            final int symbol = symbols[head];
            isCooling[symbol] = false;
            head = (head + 1) % symbols.length;
            size--;
            return symbol;
        }

        /** When the next one is free; only where {@link #isEmpty} is false. */
        long nextFreeNs() {
            return freeAtNs[head];
        }

        boolean isEmpty() {
            return size == 0;
        }
    }

    /**
     * Messages in lists, each first in, first out, over one store that grows up to a bound and is
     * used again. Allocates only while it grows.
     */
    private static final class Records {
        private static final int FIRST_CAPACITY = 64;
        private static final int NONE = -1;

        private final int messageBytes;
        private final int maxRecords;
        private final int[] heads;
        private final int[] tails;
        private final KeptMemory.Share kept;
        private UnsafeBuffer store = new UnsafeBuffer(new byte[0]);
        private int[] next = new int[0];
        private int free = NONE;
        private int size;

        Records(final int lists, final QueueContext session) {
            messageBytes = session.messageBytes();
            kept = session.kept();
            maxRecords =
                    (int)
                            Math.min(
                                    Integer.MAX_VALUE / messageBytes,
                                    session.maxBytes() / messageBytes);
            heads = new int[lists];
            tails = new int[lists];
            Arrays.fill(heads, NONE);
        }

        /** False where there is no room within the limit. */
        boolean add(final int list, final DirectBuffer buffer, final int offset) {
            if (free == NONE && !grow()) {
                return false;
            }
            final int slot = free;
            free = next[slot];
            next[slot] = NONE;
            store.putBytes(slot * messageBytes, buffer, offset, messageBytes);
            if (heads[list] == NONE) {
                heads[list] = slot;
            } else {
                next[tails[list]] = slot;
            }
            tails[list] = slot;
            size++;
            return true;
        }

        private boolean grow() {
            final int from = next.length;
            final int to = Math.min(maxRecords, Math.max(FIRST_CAPACITY, from * 2));
            if (to == from || !kept.take((to - from) * (long) (messageBytes + Integer.BYTES))) {
                return false;
            }
            store = new UnsafeBuffer(Arrays.copyOf(store.byteArray(), to * messageBytes));
            next = Arrays.copyOf(next, to);
            for (int slot = from; slot < to; slot++) {
                next[slot] = slot + 1 < to ? slot + 1 : NONE;
            }
            free = from;
            return true;
        }

        boolean isEmpty(final int list) {
            return heads[list] == NONE;
        }

        /** Position of the first message of a list in {@link #buffer}. */
        int firstOffset(final int list) {
            return heads[list] * messageBytes;
        }

        DirectBuffer buffer() {
            return store;
        }

        void removeFirst(final int list) {
            final int slot = heads[list];
            heads[list] = next[slot];
            next[slot] = free;
            free = slot;
            size--;
        }

        int size() {
            return size;
        }
    }

    /** Symbols in order, each at most once; allocates nothing after construction. */
    private static final class SymbolRing {
        private final int[] symbols;
        private int head;
        private int size;

        SymbolRing(final int capacity) {
            symbols = new int[capacity];
        }

        void add(final int symbol) {
            symbols[(head + size++) % symbols.length] = symbol;
        }

        int first() {
            return symbols[head];
        }

        void removeFirst() {
            head = (head + 1) % symbols.length;
            size--;
        }

        boolean isEmpty() {
            return size == 0;
        }
    }
}
