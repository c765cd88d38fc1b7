package io.tickmark.transport.broker;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many messages of one producer have no answer, for a client that answers nothing of a
 * connection that broke: each message is taken off once, by its answer or with its producer. The
 * sending thread adds, any thread takes off or ends it; nothing is locked or allocated.
 */
public final class Unanswered {
    /** So low that what is added later, or answered late, never makes it positive. */
    private static final int ENDED = Integer.MIN_VALUE / 2;

    private final AtomicInteger count = new AtomicInteger();

    /** Of a producer that has sent nothing yet. */
    public Unanswered() {}

    /**
     * A message is about to be sent.
     *
     * @return false where its producer has ended: it must not be sent by that one
     */
    public boolean add() {
        return count.getAndIncrement() >= 0;
    }

    /**
     * A message was answered, or could not be sent.
     *
     * @return false where it was counted when its producer ended
     */
    public boolean takeOff() {
        return count.getAndDecrement() > 0;
    }

    /**
     * The producer has ended: nothing is answered any more.
     *
     * @return how many messages had no answer; 0 where it had ended before
     */
    public int end() {
        return Math.max(0, count.getAndSet(ENDED));
    }
}
