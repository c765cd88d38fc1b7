package io.tickmark.engines.redis;

import org.agrona.BitUtil;

/**
 * Messages under way, so many and so many bytes at most. One thread sends, one thread (the
 * client's) hears answers, which come in the order of sending.
 */
final class Flight {
    private final int mostMessages;
    private final long mostBytes;
    private final int[] lengths;
    private final int mask;
    private long sent;
    private long sentBytes;
    private volatile long answered;
    private volatile long answeredBytes;

    Flight(final int mostMessages, final long mostBytes) {
        this.mostMessages = mostMessages;
        this.mostBytes = mostBytes;
        lengths = new int[BitUtil.findNextPositivePowerOfTwo(mostMessages)];
        mask = lengths.length - 1;
    }

    /** One message is always let through, however long it is. */
    boolean hasRoom(final int length) {
        return sent == answered
                || sent - answered < mostMessages
                        && sentBytes - answeredBytes + length <= mostBytes;
    }

    boolean isEmpty() {
        return sent == answered;
    }

    /** To be called before the message goes, as its answer may come at once. */
    void add(final int length) {
        lengths[(int) sent & mask] = length;
        sentBytes += length;
        sent++;
    }

    /** The message added last did not go. */
    void takeBack() {
        sent--;
        sentBytes -= lengths[(int) sent & mask];
    }

    /** The oldest one was answered, or will never be. */
    void answer() {
        answeredBytes += lengths[(int) answered & mask];
        answered++;
    }
}
