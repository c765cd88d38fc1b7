package io.tickmark.engines.nats;

import org.agrona.BitUtil;

/**
 * The messages of a publication that are not acknowledged yet, by ordinal; acknowledgements may
 * come in any order. One thread.
 */
final class Flight {
    private final byte[][] payloads;
    private final int mask;
    private final int most;
    private long next;
    private long stable;

    /** For at most so many messages, of which {@code next} ones are stored already. */
    Flight(final int most, final long next) {
        this.most = most;
        payloads = new byte[BitUtil.findNextPositivePowerOfTwo(most)][];
        mask = payloads.length - 1;
        this.next = next;
        stable = next - 1;
    }

    boolean isFull() {
        return size() >= most;
    }

    long size() {
        return next - 1 - stable;
    }

    /** Ordinal of the next message. */
    long next() {
        return next;
    }

    /** Highest ordinal up to which all are acknowledged. */
    long stable() {
        return stable;
    }

    /** Takes a message; its ordinal was {@link #next()}. */
    void add(final byte[] payload) {
        payloads[(int) next++ & mask] = payload;
    }

    /** The message in flight with this ordinal; null once it is acknowledged. */
    byte[] payload(final long ordinal) {
        return payloads[(int) ordinal & mask];
    }

    boolean contains(final long ordinal) {
        return ordinal > stable && ordinal < next && payload(ordinal) != null;
    }

    /** Notes that a message is stored; whether {@link #stable()} moved on. */
    boolean acknowledge(final long ordinal) {
        if (!contains(ordinal)) {
            return false;
        }
        payloads[(int) ordinal & mask] = null;
        final long before = stable;
        while (stable + 1 < next && payload(stable + 1) == null) {
            stable++;
        }
        return stable > before;
    }
}
