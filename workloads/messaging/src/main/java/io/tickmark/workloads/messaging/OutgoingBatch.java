package io.tickmark.workloads.messaging;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages that are due at the same time, stored consecutively; created by {@link
 * OutgoingMessage#batch}. Their stamps differ only in the sequence and thus the checksum.
 * Single-threaded, allocates nothing after construction.
 */
public final class OutgoingBatch {
    /** Most messages; the size of a kernel batch. */
    private static final int MOST = 64;

    /** A batch of longer messages has fewer of them, so that it stays in the core's cache. */
    private static final int MOST_BYTES = 64 << 10;

    private final UnsafeBuffer messages;
    private final StampChecksum checksum = new StampChecksum();
    private final int length;
    private final int capacity;
    private final int trialId;
    private final boolean verify;
    private final boolean isFull;

    OutgoingBatch(final int length, final int multiple, final int trialId, final boolean verify) {
        this.length = length;
        this.trialId = trialId;
        this.verify = verify;
        isFull = length >= Stamp.FULL_LENGTH;
        final int most = Math.max(1, Math.min(MOST, MOST_BYTES / length));
        capacity = multiple < most ? most - most % multiple : most;
        messages = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity * length));
    }

    /**
     * Most messages it holds.
     *
     * @return the count
     */
    public int capacity() {
        return capacity;
    }

    /**
     * Where the messages are.
     *
     * @return the buffer
     */
    public MutableDirectBuffer buffer() {
        return messages;
    }

    /**
     * Where a message begins.
     *
     * @param index of the message
     * @return its offset
     */
    public int offsetOf(final int index) {
        return index * length;
    }

    /**
     * Writes the fields that stay the same from now on.
     *
     * @param flags of the stamps
     * @param step of the trial
     * @param source topic id
     */
    public void begin(final int flags, final int step, final int source) {
        for (int i = 0; i < capacity; i++) {
            Stamp.write(messages, offsetOf(i), 0, 0, flags, step, source);
            if (isFull) {
                Stamp.writeTrialId(messages, offsetOf(i), trialId);
            }
        }
    }

    /**
     * Writes times, sequences and checksums of the first messages.
     *
     * @param count of messages
     * @param nowNs intended and actual send time of each: taken before any of them is sent, so that
     *     none appears faster than it was
     * @param firstSequence of the first message; the others follow
     */
    public void prepare(final int count, final long nowNs, final int firstSequence) {
        Stamp.writeIntendedNs(messages, 0, nowNs);
        Stamp.writeSequence(messages, 0, 0);
        final boolean summed = isFull && verify;
        final int common = summed ? checksum.of(messages, 0, length) : 0;
        for (int i = 0; i < count; i++) {
            final int offset = offsetOf(i);
            final int sequence = firstSequence + i;
            Stamp.writeIntendedNs(messages, offset, nowNs);
            Stamp.writeSequence(messages, offset, sequence);
            if (isFull) {
                Stamp.writeSentNs(messages, offset, nowNs);
                Stamp.writeChecksum(
                        messages, offset, summed ? common ^ StampChecksum.ofSequence(sequence) : 0);
            }
        }
    }

    /**
     * Writes one message with its own times.
     *
     * @param index of the message
     * @param intendedNs when it was due
     * @param sentNs actual send time
     * @param sequence of the message
     */
    public void put(final int index, final long intendedNs, final long sentNs, final int sequence) {
        final int offset = offsetOf(index);
        Stamp.writeIntendedNs(messages, offset, intendedNs);
        Stamp.writeSequence(messages, offset, sequence);
        if (isFull) {
            Stamp.writeSentNs(messages, offset, sentNs);
            Stamp.writeChecksum(
                    messages, offset, verify ? checksum.of(messages, offset, length) : 0);
        }
    }

    /**
     * Writes a later send time, where the engine did not accept them at once.
     *
     * @param first message
     * @param end index after the last one
     * @param sentNs actual send time
     */
    public void stampSent(final int first, final int end, final long sentNs) {
        if (isFull) {
            for (int i = first; i < end; i++) {
                Stamp.writeSentNs(messages, offsetOf(i), sentNs);
            }
        }
    }
}
