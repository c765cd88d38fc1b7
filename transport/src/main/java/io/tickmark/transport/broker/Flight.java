package io.tickmark.transport.broker;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.BitUtil;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Messages in flight to a broker, limited in number and in bytes. One thread sends, and one thread
 * at a time (the client's) receives acknowledgements. They may come in any order; lengths are taken
 * off in the order of sending.
 */
public final class Flight {
    /** Longest wait for the last acknowledgements. */
    public static final long PATIENCE_NS = 5_000_000_000L;

    private static final long PAUSE_NS = 100_000;

    private final int mostMessages;
    private final long mostBytes;

    /** By number; negative, as its complement, once one was acknowledged before older ones. */
    private final int[] lengths;

    private final int mask;
    private long sent;
    private long sentBytes;
    private volatile long answered;
    private volatile long answeredBytes;

    /**
     * Nothing is in flight yet.
     *
     * @param mostMessages limit of messages in flight
     * @param mostBytes limit of their bytes together
     */
    public Flight(final int mostMessages, final long mostBytes) {
        this.mostMessages = mostMessages;
        this.mostBytes = mostBytes;
        lengths = new int[BitUtil.findNextPositivePowerOfTwo(mostMessages)];
        mask = lengths.length - 1;
    }

    /**
     * Whether another message may be sent; a single one is always allowed, however long it is.
     *
     * @param length of it, in bytes
     * @return false where it has to wait
     */
    public boolean hasRoom(final int length) {
        return sent == answered
                || sent - answered < mostMessages
                        && sentBytes - answeredBytes + length <= mostBytes;
    }

    /**
     * Whether every message was acknowledged.
     *
     * @return true where nothing is in flight
     */
    public boolean isEmpty() {
        return sent == answered;
    }

    /**
     * Adds a message; to be called before it is sent, as its acknowledgement may arrive at once.
     *
     * @param length of it, in bytes
     */
    public void add(final int length) {
        lengths[(int) sent & mask] = length;
        sentBytes += length;
        sent++;
    }

    /** The message added last was not sent. */
    public void takeBack() {
        sent--;
        sentBytes -= lengths[(int) sent & mask];
    }

    /** The oldest one was acknowledged, or never will be. */
    public void answer() {
        answeredBytes += lengths[(int) answered & mask];
        answered++;
    }

    /**
     * The oldest ones were taken off together, by the sending thread itself.
     *
     * @param count how many, from the first that was ever sent; those not sent yet do not count
     */
    public void answerUpTo(final long count) {
        final long most = Math.min(count, sent);
        long next = answered;
        long bytes = answeredBytes;
        while (next < most) {
            bytes += lengths[(int) next++ & mask];
        }
        answeredBytes = bytes;
        answered = next;
    }

    /** How many were sent and not taken off; the sending thread. */
    long unanswered() {
        return sent - answered;
    }

    /** {@return how many were taken off, from the first on} */
    public long answered() {
        return answered;
    }

    /**
     * A message was acknowledged, perhaps before older ones, with which it is taken off then. Not
     * to be mixed with the others.
     *
     * @param number of the message, from 0 in the order of sending; it was not taken off yet
     * @return how many messages, from the first on, are taken off now
     */
    public long answer(final long number) {
        final int place = (int) number & mask;
        if (lengths[place] >= 0) {
            lengths[place] = ~lengths[place];
        }
        int oldest = (int) answered & mask;
        while (lengths[oldest] < 0) {
            lengths[oldest] = ~lengths[oldest];
            answer();
            oldest = (int) answered & mask;
        }
        return answered;
    }

    /**
     * Waits until every message was acknowledged, {@value #PATIENCE_NS} ns at most, and briefly
     * where a server was silent just before. The sending thread, which closes.
     *
     * @param isHopeful whether acknowledgements may still arrive
     */
    public void await(final BooleanSupplier isHopeful) {
        BoundedClose.await(PATIENCE_NS, () -> isEmpty() || !isHopeful.getAsBoolean());
    }

    /**
     * Waits for what an engine's client does on its own threads; returns early where the thread is
     * interrupted.
     *
     * @param longestNs longest wait
     * @param isDone checked ten times a millisecond
     */
    public static void awaitUntil(final long longestNs, final BooleanSupplier isDone) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!isDone.getAsBoolean()
                && SystemNanoClock.INSTANCE.nanoTime() - startNs < longestNs
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}
