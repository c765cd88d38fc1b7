package io.tickmark.workloads.messaging;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.stamp.StampChecksum;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fills messages: stamp, a payload that differs from byte to byte, checksum. In two steps, so that
 * only the second is between the send time and the send: {@link #prepare}, then {@link #stampSent}.
 * Single-threaded, allocates nothing.
 */
public final class OutgoingMessage {
    private final UnsafeBuffer own;
    private final StampChecksum checksum = new StampChecksum();
    private final int trialId;
    private final boolean verify;

    /**
     * Messages of one trial.
     *
     * @param maxPayloadBytes longest message
     * @param trialId of the trial
     * @param verify whether messages of 32 bytes and more carry a checksum; without it the field
     *     holds 0
     */
    public OutgoingMessage(final int maxPayloadBytes, final int trialId, final boolean verify) {
        own =
                new UnsafeBuffer(
                        ByteBuffer.allocateDirect(Math.max(Stamp.FULL_LENGTH, maxPayloadBytes)));
        this.trialId = trialId;
        this.verify = verify;
        fillPayload(own, 0, own.capacity());
    }

    private static void fillPayload(
            final MutableDirectBuffer buffer, final int offset, final int length) {
        for (int i = Stamp.SHORT_LENGTH; i < length; i++) {
            buffer.putByte(offset + i, (byte) (i * 31));
        }
    }

    /**
     * Messages of one length and of the same trial, to be sent together.
     *
     * @param length of each message
     * @param multiple number of which the batch size should be a multiple, so that an engine that
     *     sends this many with one call has none left over
     * @return the batch
     */
    public OutgoingBatch batch(final int length, final int multiple) {
        final OutgoingBatch batch = new OutgoingBatch(length, multiple, trialId, verify);
        for (int i = 0; i < batch.capacity(); i++) {
            fillPayload(batch.buffer(), batch.offsetOf(i), length);
        }
        return batch;
    }

    /**
     * The buffer of messages that are copied on offering; a message starts at 0.
     *
     * @return the buffer
     */
    public MutableDirectBuffer buffer() {
        return own;
    }

    /**
     * Writes everything except the send time.
     *
     * @param buffer whose message starts at 0
     * @param length of the message
     * @param intendedNs intended time
     * @param sequence of the message
     * @param flags of the stamp
     * @param step of the trial
     * @param source topic id
     */
    public void prepare(
            final MutableDirectBuffer buffer,
            final int length,
            final long intendedNs,
            final int sequence,
            final int flags,
            final int step,
            final int source) {
        Stamp.write(buffer, 0, intendedNs, sequence, flags, step, source);
        if (length >= Stamp.FULL_LENGTH) {
            Stamp.writeTrialId(buffer, 0, trialId);
            Stamp.writeChecksum(buffer, 0, verify ? checksum.of(buffer, 0, length) : 0);
        }
    }

    /**
     * Writes the send time, where the message is long enough for it.
     *
     * @param buffer whose message starts at 0
     * @param length of the message
     * @param sentNs actual send time
     */
    public void stampSent(final MutableDirectBuffer buffer, final int length, final long sentNs) {
        if (length >= Stamp.FULL_LENGTH) {
            Stamp.writeSentNs(buffer, 0, sentNs);
        }
    }
}
