package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.gateway.SlowRules.SlowLimits;
import io.tickmark.workloads.fix.link.Connection;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.OutBuffer;
import java.util.Arrays;

/**
 * One session that receives messages: what it subscribed to, and what happens when it does not keep
 * up. Belongs to one worker.
 */
final class ConsumerSession {
    /** A consumer that was slow gets kept messages again once this part of its limit is free. */
    private static final int FREE_PART = 2;

    private final Connection connection;
    private final FixSession session;
    private final SlowLimits limits;
    private final java.util.function.Consumer<Connection> flusher;
    private final WaitingSymbols waitingSymbols = new WaitingSymbols();
    private final SubscriptionList subscriptions = new SubscriptionList();
    private final OutBuffer scratch;
    private long kept;
    private long forgotten;
    private long dropped;
    private long conflated;
    private boolean isCut;

    /**
     * {@code flusher} writes what is pending for a connection, {@code scratch} is where the thread
     * builds kept messages.
     */
    ConsumerSession(
            final Connection connection,
            final SlowLimits limits,
            final java.util.function.Consumer<Connection> flusher,
            final OutBuffer scratch) {
        this.flusher = flusher;
        this.scratch = scratch;
        this.connection = connection;
        this.limits = limits;
        session = connection.session();
    }

    Connection connection() {
        return connection;
    }

    FixSession session() {
        return session;
    }

    SubscriptionList subscriptions() {
        return subscriptions;
    }

    long dropped() {
        return dropped;
    }

    /** Messages that were kept to be sent later. */
    long kept() {
        return kept;
    }

    /** Messages that took a number and could not be kept. */
    long forgotten() {
        return forgotten;
    }

    long conflated() {
        return conflated;
    }

    boolean isActive() {
        return session.state() == FixSession.State.ACTIVE;
    }

    boolean isCut() {
        return isCut;
    }

    /** How long others may be made to wait for it. */
    long patienceNs() {
        return limits.timeNs();
    }

    private boolean isSlow(final long nowNs) {
        return session.out().waiting() >= limits.bytes()
                || connection.isBlocked() && connection.blockedNs(nowNs) >= limits.timeNs();
    }

    /**
     * Sends it a message, or applies its policy.
     *
     * @return true where the sender is to wait and try again
     */
    boolean offer(
            final byte[] type,
            final BodyBytes ids,
            final BodyBytes body,
            final int symbol,
            final long nowNs) {
        if (session.isResending()) {
            flush();
            session.onTimer(); // continues the answer as far as there is room now
        }
        if (waitingSymbols.isEmpty() && hasRoom(nowNs) && session.send(type, ids, body)) {
            return false;
        }
        if (!isActive()) { // the connection was lost meanwhile
            keepForReturn(type, body, symbol);
            return false;
        }
        return refuse(type, ids, body, symbol, nowNs);
    }

    /**
     * A message for a consumer whose session is over, or about to be: it is numbered and kept, so
     * that the consumer receives it when it reconnects. A consumer that subscribes by symbol
     * subscribes again then.
     */
    void keepForReturn(final byte[] type, final BodyBytes body, final int symbol) {
        if (!subscriptions.isAll()) {
            return;
        }
        if (symbol >= 0 && !waitingSymbols.isEmpty()) {
            if (!waitingSymbols.add(symbol)) {
                conflated++;
            }
            return;
        }
        keep(type, null, body);
    }

    private void keep(final byte[] type, final BodyBytes ids, final BodyBytes body) {
        if (session.keep(type, ids, body, scratch)) {
            kept++;
        } else {
            forgotten++;
        }
    }

    /** Messages that were held back are kept, too: none is dropped silently. */
    void leave(final Book book) {
        while (!waitingSymbols.isEmpty()) {
            final FanOutMessage newest = book.newest(waitingSymbols.first());
            waitingSymbols.removeFirst();
            if (newest == null || !subscriptions.isAll()) {
                dropped++;
            } else {
                keep(newest.type(), null, newest.body());
            }
        }
    }

    /**
     * A consumer that is not slow but has received much in this pass is written to first, as long
     * as its socket accepts it.
     */
    private boolean hasRoom(final long nowNs) {
        int before = Integer.MAX_VALUE;
        while (isSlow(nowNs) && !connection.isBlocked() && session.out().waiting() < before) {
            before = session.out().waiting();
            flusher.accept(connection);
        }
        return !isSlow(nowNs);
    }

    /** Writes pending bytes, where the socket accepts some. */
    void flush() {
        if (session.out().waiting() > 0) {
            flusher.accept(connection);
        }
    }

    private boolean refuse(
            final byte[] type,
            final BodyBytes ids,
            final BodyBytes body,
            final int symbol,
            final long nowNs) {
        switch (limits.policy()) {
            case DROP -> dropOrKeep(type, ids, body);
            case CONFLATE -> {
                if (symbol < 0) {
                    dropOrKeep(type, ids, body);
                } else if (!waitingSymbols.add(symbol)) {
                    conflated++;
                }
            }
            case DISCONNECT -> {
                if (session.isAnswerWaiting() && connection.blockedNs(nowNs) < limits.timeNs()) {
                    keep(type, ids, body); // it waits for what it missed, and is not slow
                } else {
                    cut();
                    keepForReturn(type, body, symbol);
                }
            }
            case BLOCK -> {
                return true;
            }
        }
        return false;
    }

    /**
     * A consumer that waits for what it missed receives later messages after it, from the store.
     */
    private void dropOrKeep(final byte[] type, final BodyBytes ids, final BodyBytes body) {
        if (session.isAnswerWaiting()) {
            keep(type, ids, body);
        } else {
            dropped++;
        }
    }

    /** Disconnects it; pending messages are in the store, if anywhere. */
    void cut() {
        isCut = true;
        session.end("too slow");
        session.out().clear();
        connection.close();
    }

    /**
     * Sends the newest message of each symbol that was held back, once there is room, in the order
     * of arrival: a producer's numbers never decrease.
     */
    void catchUp(final Book book, final Variants variants, final long nowNs) {
        if (waitingSymbols.isEmpty()
                || isSlow(nowNs)
                || session.out().waiting() > limits.bytes() / FREE_PART) {
            return;
        }
        while (!waitingSymbols.isEmpty()) {
            final int symbol = waitingSymbols.first();
            final FanOutMessage newest = book.newest(symbol);
            if (newest == null) {
                dropped++; // the book had no room for it
            } else if (!sendAsSubscribed(newest, symbol, variants)) {
                return;
            }
            waitingSymbols.removeFirst();
        }
    }

    private boolean sendAsSubscribed(
            final FanOutMessage newest, final int symbol, final Variants variants) {
        if (subscriptions.isAll()) {
            return session.send(newest.type(), null, newest.body());
        }
        final BodyBytes id = subscriptions.requestId(symbol);
        variants.of(newest);
        return id == null || session.send(newest.type(), id, variants.plain());
    }

    /**
     * Symbols whose newest message a consumer has not received yet, in the order of these messages.
     * A ring of links by symbol: each call takes the same short time, however many wait.
     * Single-threaded; allocates for symbols with higher numbers than any before.
     */
    static final class WaitingSymbols {
        private static final int ABSENT = -1;

        /** Where the ring begins and ends; a symbol is at its number plus one. */
        private static final int ENDS = 0;

        private int[] after = {ENDS};
        private int[] before = {ENDS};

        WaitingSymbols() {}

        boolean isEmpty() {
            return after[ENDS] == ENDS;
        }

        /**
         * A symbol has a new message, the newest of all; false where it waited already, for an
         * older.
         */
        boolean add(final int symbol) {
            final int node = symbol + 1;
            if (node >= after.length) {
                grow(node + 1);
            }
            final boolean isNew = after[node] == ABSENT;
            if (!isNew) {
                takeOut(node);
            }
            final int last = before[ENDS];
            after[last] = node;
            before[node] = last;
            after[node] = ENDS;
            before[ENDS] = node;
            return isNew;
        }

        private void grow(final int least) {
            final int length = after.length;
            after = Arrays.copyOf(after, Math.max(2 * length, least));
            before = Arrays.copyOf(before, after.length);
            Arrays.fill(after, length, after.length, ABSENT);
        }

        private void takeOut(final int node) {
            after[before[node]] = after[node];
            before[after[node]] = before[node];
            after[node] = ABSENT;
        }

        /** The symbol with the oldest message; only where there is one. */
        int first() {
            return after[ENDS] - 1;
        }

        /** Takes out the symbol with the oldest message; only where there is one. */
        void removeFirst() {
            takeOut(after[ENDS]);
        }
    }
}
