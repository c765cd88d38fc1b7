package io.tickmark.workloads.fix.session;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bytes to be written to a connection: messages one after the other. It uses no memory before the
 * first message, and grows up to its limit only if the counterparty does not read. Single-threaded.
 */
public final class OutBuffer {
    private static final int SMALLEST = 1 << 14;
    private static final byte[] NOTHING = {};

    private final int limitBytes;
    private byte[] bytes;
    private byte[] own;
    private int head;
    private int tail;

    /** This many of the pending bytes are watched. */
    private int watchedBytes;

    /**
     * An empty buffer.
     *
     * @param limitBytes the most it holds
     */
    public OutBuffer(final int limitBytes) {
        this.limitBytes = limitBytes;
        bytes = NOTHING;
    }

    /**
     * Makes room after the pending bytes.
     *
     * @param length of the next message, at most
     * @return whether there is room now
     */
    public boolean reserve(final int length) {
        return bytes.length - tail >= length || makeRoom(length);
    }

    /**
     * Uses a buffer of the thread in place of its own, where nothing is pending: messages for one
     * session after the other are then encoded in memory that stays in the cache. To be returned
     * before another session borrows it.
     *
     * @param shared of the thread
     */
    public void borrow(final byte[] shared) {
        if (own == null && head == tail) {
            own = bytes;
            bytes = shared;
            head = 0;
            tail = 0;
        }
    }

    /** Returns a borrowed buffer, and keeps what is still pending. */
    public void giveBack() {
        if (own == null) {
            return;
        }
        final byte[] borrowed = bytes;
        final int waiting = tail - head;
        bytes = own.length < waiting ? new byte[Math.min(limitBytes, 2 * waiting)] : own;
        own = null;
        System.arraycopy(borrowed, head, bytes, 0, waiting);
        head = 0;
        tail = waiting;
    }

    private boolean makeRoom(final int length) {
        giveBack();
        final int waiting = tail - head;
        if (waiting + (long) length > limitBytes) {
            return false;
        }
        if (head > 0) {
            System.arraycopy(bytes, head, bytes, 0, waiting);
            head = 0;
            tail = waiting;
        }
        if (bytes.length - tail < length) {
            bytes =
                    Arrays.copyOf(
                            bytes,
                            (int)
                                    Math.min(
                                            limitBytes,
                                            Math.max(
                                                    Math.max(SMALLEST, 2L * bytes.length),
                                                    tail + (long) length)));
        }
        return true;
    }

    /** The array; valid until the next {@link #reserve}. */
    byte[] array() {
        return bytes;
    }

    /** Where the next message is written. */
    int tail() {
        return tail;
    }

    /** The next message ends here. */
    void advance(final int newTail) {
        tail = newTail;
    }

    /**
     * Bytes that wait.
     *
     * @return the count
     */
    public int waiting() {
        return tail - head;
    }

    /**
     * The most it holds.
     *
     * @return bytes
     */
    public int limitBytes() {
        return limitBytes;
    }

    /**
     * Copies pending bytes, as many as fit.
     *
     * @param into to be read up to its position afterwards
     * @return bytes copied
     */
    public int copyTo(final ByteBuffer into) {
        final int length = Math.min(into.remaining(), tail - head);
        into.put(bytes, head, length);
        return length;
    }

    /**
     * Removes written bytes.
     *
     * @param length bytes
     */
    public void written(final int length) {
        head += length;
        watchedBytes = Math.max(0, watchedBytes - length);
        if (head == tail) {
            head = 0;
            tail = 0;
        }
    }

    /** Forgets all. */
    public void clear() {
        head = 0;
        tail = 0;
        watchedBytes = 0;
    }

    /** Watches all that waits now, until it is written. */
    void watch() {
        watchedBytes = waiting();
    }

    /** Whether something that is watched still waits. */
    boolean isWatchedWaiting() {
        return watchedBytes > 0;
    }
}
