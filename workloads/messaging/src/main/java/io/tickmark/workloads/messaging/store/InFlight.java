package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.stamp.Stamp;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * Messages that were sent and are not stable yet, oldest first: what is needed to time them, and to
 * make them again. One thread, allocates nothing after construction.
 */
final class InFlight {
    private final int mask;
    private final long[] ordinals;
    private final long[] intendedNs;
    private final int[] sequences;
    private final byte[] flags;
    private final int[] steps;
    private long head;
    private long tail;

    InFlight(final int mostMessages) {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(mostMessages + 1);
        mask = capacity - 1;
        ordinals = new long[capacity];
        intendedNs = new long[capacity];
        sequences = new int[capacity];
        flags = new byte[capacity];
        steps = new int[capacity];
    }

    /** Adds what was sent last; there is room. */
    void add(final long ordinal, final DirectBuffer buffer, final int offset) {
        final int at = (int) tail++ & mask;
        ordinals[at] = ordinal;
        intendedNs[at] = Stamp.intendedNs(buffer, offset);
        sequences[at] = Stamp.sequence(buffer, offset);
        flags[at] = (byte) Stamp.flags(buffer, offset);
        steps[at] = (byte) Stamp.step(buffer, offset);
    }

    int size() {
        return (int) (tail - head);
    }

    long oldestOrdinal() {
        return ordinals[(int) head & mask];
    }

    /** Number of the oldest; the others follow it. */
    long first() {
        return head;
    }

    long end() {
        return tail;
    }

    void removeOldest() {
        head++;
    }

    void ordinal(final long number, final long ordinal) {
        ordinals[(int) number & mask] = ordinal;
    }

    long intendedNs(final long number) {
        return intendedNs[(int) number & mask];
    }

    int sequence(final long number) {
        return sequences[(int) number & mask];
    }

    int flags(final long number) {
        return flags[(int) number & mask];
    }

    int step(final long number) {
        return steps[(int) number & mask];
    }
}
