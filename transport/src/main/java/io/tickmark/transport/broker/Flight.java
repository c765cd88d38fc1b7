package io.tickmark.transport.broker;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.BitUtil;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Messages under way to a broker, so many and so many bytes at most. One thread sends, and one
 * thread at a time (the client's) takes answers. They may come in any order; lengths are taken off
 * in the order of sending.
 */
public final class Flight {
    /** Longest wait for the last answers. */
    public static final long PATIENCE_NS = 5_000_000_000L;

    private static final long PAUSE_NS = 100_000;

    private final int mostMessages;
    private final long mostBytes;
    private final int[] lengths;
    private final int mask;
    private long sent;
    private long sentBytes;
    private volatile long answered;
    private volatile long answeredBytes;

    /**
     * Nothing is under way yet.
     *
     * @param mostMessages that may be
     * @param mostBytes that they may have together
     */
    public Flight(final int mostMessages, final long mostBytes) {
        this.mostMessages = mostMessages;
        this.mostBytes = mostBytes;
        lengths = new int[BitUtil.findNextPositivePowerOfTwo(mostMessages)];
        mask = lengths.length - 1;
    }

    /**
     * Whether another message may go; one is always let through, however long it is.
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
     * Whether all was answered.
     *
     * @return true where nothing is under way
     */
    public boolean isEmpty() {
        return sent == answered;
    }

    /**
     * Adds a message; to be called before it goes, as its answer may come at once.
     *
     * @param length of it, in bytes
     */
    public void add(final int length) {
        lengths[(int) sent & mask] = length;
        sentBytes += length;
        sent++;
    }

    /** The message added last did not go. */
    public void takeBack() {
        sent--;
        sentBytes -= lengths[(int) sent & mask];
    }

    /** The oldest one was answered, or will never be. */
    public void answer() {
        answeredBytes += lengths[(int) answered & mask];
        answered++;
    }

    /**
     * Waits until all was answered, {@value #PATIENCE_NS} ns at most. The thread that sends.
     *
     * @param isHopeful whether answers may still come
     */
    public void await(final BooleanSupplier isHopeful) {
        awaitUntil(PATIENCE_NS, () -> isEmpty() || !isHopeful.getAsBoolean());
    }

    /**
     * Waits for what an engine's client does on its own threads; ends early where the thread is
     * interrupted.
     *
     * @param longestNs at most so long
     * @param isDone looked at ten times a millisecond
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
