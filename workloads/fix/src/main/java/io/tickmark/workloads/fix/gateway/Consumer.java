package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.link.Connection;
import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.FixSession;

/**
 * One session that gets messages: what it subscribed to, and what happens when it does not keep up.
 * Belongs to one worker.
 */
final class Consumer {
    /** A consumer that was slow gets kept messages again once this part of its limit is free. */
    private static final int FREE_PART = 2;

    private final Connection connection;
    private final FixSession session;
    private final SlowLimits limits;
    private final java.util.function.Consumer<Connection> flusher;
    private final WaitingSymbols waitingSymbols = new WaitingSymbols();
    private final SubscriptionList subscriptions = new SubscriptionList();
    private long dropped;
    private long conflated;
    private boolean isCut;

    /** {@code flusher} writes what waits for a connection. */
    Consumer(
            final Connection connection,
            final SlowLimits limits,
            final java.util.function.Consumer<Connection> flusher) {
        this.flusher = flusher;
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
     * Gives it a message, or does what its policy says.
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
            session.onTimer(); // goes on with the answer as far as there is room now
        }
        if (waitingSymbols.isEmpty() && hasRoom(nowNs) && session.send(type, ids, body)) {
            return false;
        }
        return isActive() && refuse(symbol, nowNs);
    }

    /**
     * Who is not slow but has only got much in this pass, or again, is written to first, as long as
     * its socket takes it.
     */
    private boolean hasRoom(final long nowNs) {
        int before = Integer.MAX_VALUE;
        while (isSlow(nowNs) && !connection.isBlocked() && session.out().waiting() < before) {
            before = session.out().waiting();
            flusher.accept(connection);
        }
        return !isSlow(nowNs);
    }

    /** Writes what waits, where the socket takes something. */
    void flush() {
        if (session.out().waiting() > 0) {
            flusher.accept(connection);
        }
    }

    private boolean refuse(final int symbol, final long nowNs) {
        switch (limits.policy()) {
            case DROP -> dropped++;
            case CONFLATE -> {
                if (symbol < 0) {
                    dropped++;
                } else if (!waitingSymbols.add(symbol)) {
                    conflated++;
                }
            }
            case DISCONNECT -> {
                if (session.isAnswerWaiting() && connection.blockedNs(nowNs) < limits.timeNs()) {
                    dropped++; // it waits for what it missed, which is no slowness of its own
                } else {
                    cut();
                }
            }
            case BLOCK -> {
                return true;
            }
        }
        return false;
    }

    /** Cuts it off; what waits for it is lost. */
    void cut() {
        isCut = true;
        session.end("too slow");
        session.out().clear();
        connection.close();
    }

    /**
     * Sends the newest message of each symbol that was held back, once there is room, in the order
     * in which they came: a producer's numbers never go back.
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
}
