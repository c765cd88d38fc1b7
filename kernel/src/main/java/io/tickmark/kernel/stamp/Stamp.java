package io.tickmark.kernel.stamp;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The stamp at the head of every measured message; static codec, no state, allocates nothing. All
 * fields little-endian.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  intended time, ns on the sender's clock (a nonce in hello and welcome)
 *       8      4  sequence, unsigned, counted from 0 per source and step
 *      12      1  version in bits 7..5, flags in bits 4..0
 *      13      1  step of the trial (a size of a sweep), modulo 256
 *      14      2  source, unsigned (topic of a publisher, cookie of a subscriber)
 *   from 32 bytes on:
 *      16      8  actual send time, ns on the sender's clock
 *      24      4  trial id
 *      28      4  CRC32C of the payload (offset 32 to the end) followed by bytes 0 to 15 and 24 to 27
 * </pre>
 *
 * <p>The checksum starts with the payload so that a sender whose payload is constant keeps that
 * part computed.
 */
public final class Stamp {
    /** Bytes of the short stamp; the smallest message that can be measured. */
    public static final int SHORT_LENGTH = 16;

    /**
     * Bytes of the full stamp; from this message length on send time, trial id and checksum are
     * carried.
     */
    public static final int FULL_LENGTH = 32;

    /** Version written and accepted. */
    public static final int VERSION = 1;

    /** A subscriber that introduces itself, or a publisher that announces itself. */
    public static final int HELLO = 1;

    /** A publisher's answer to a hello: accepted. */
    public static final int WELCOME = 2;

    /**
     * Belongs to the warm-up, a separate step before the first: handled like measured messages,
     * then discarded.
     */
    public static final int WARM_UP = 4;

    /** End of a step; the sequence field holds the number of messages sent in it. */
    public static final int END = 8;

    /**
     * Sent by the subscriber's side: with HELLO a hello, with END the acknowledgement of an end.
     */
    public static final int REPLY = 16;

    private static final int INTENDED_OFFSET = 0;
    private static final int SEQUENCE_OFFSET = 8;
    private static final int FLAGS_OFFSET = 12;
    private static final int STEP_OFFSET = 13;
    private static final int SOURCE_OFFSET = 14;
    private static final int SENT_OFFSET = 16;
    private static final int TRIAL_OFFSET = 24;
    private static final int CHECKSUM_OFFSET = 28;
    private static final int FLAGS_MASK = 0x1f;
    private static final int VERSION_SHIFT = 5;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private Stamp() {}

    /**
     * Writes the 16 bytes that every message has.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param intendedNs time at which it is due by the schedule
     * @param sequence of the message within source and step
     * @param flags any of HELLO, WELCOME, WARM_UP, END, REPLY
     * @param step of the trial
     * @param source 0 to 65535
     */
    public static void write(
            final MutableDirectBuffer buffer,
            final int offset,
            final long intendedNs,
            final int sequence,
            final int flags,
            final int step,
            final int source) {
        buffer.putLong(offset + INTENDED_OFFSET, intendedNs, ORDER);
        buffer.putInt(offset + SEQUENCE_OFFSET, sequence, ORDER);
        buffer.putByte(
                offset + FLAGS_OFFSET, (byte) (VERSION << VERSION_SHIFT | flags & FLAGS_MASK));
        buffer.putByte(offset + STEP_OFFSET, (byte) step);
        buffer.putShort(offset + SOURCE_OFFSET, (short) source, ORDER);
    }

    /**
     * Writes only the intended time, where the rest is unchanged.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param intendedNs time at which it is due by the schedule
     */
    public static void writeIntendedNs(
            final MutableDirectBuffer buffer, final int offset, final long intendedNs) {
        buffer.putLong(offset + INTENDED_OFFSET, intendedNs, ORDER);
    }

    /**
     * Writes only the sequence, where the rest is unchanged.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param sequence of the message within source and step
     */
    public static void writeSequence(
            final MutableDirectBuffer buffer, final int offset, final int sequence) {
        buffer.putInt(offset + SEQUENCE_OFFSET, sequence, ORDER);
    }

    /**
     * Writes the trial id of a message of at least {@link #FULL_LENGTH}.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param trialId of the trial
     */
    public static void writeTrialId(
            final MutableDirectBuffer buffer, final int offset, final int trialId) {
        buffer.putInt(offset + TRIAL_OFFSET, trialId, ORDER);
    }

    /**
     * Writes the actual send time of a message of at least {@link #FULL_LENGTH}; last of all, right
     * before the send.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param sentNs actual send time
     */
    public static void writeSentNs(
            final MutableDirectBuffer buffer, final int offset, final long sentNs) {
        buffer.putLong(offset + SENT_OFFSET, sentNs, ORDER);
    }

    /**
     * Writes the checksum; to be called when all bytes that it covers are written.
     *
     * @param buffer to write to
     * @param offset of the message
     * @param checksum CRC32C as {@link StampChecksum} computes it
     */
    public static void writeChecksum(
            final MutableDirectBuffer buffer, final int offset, final int checksum) {
        buffer.putInt(offset + CHECKSUM_OFFSET, checksum, ORDER);
    }

    /**
     * Whether a message can carry a stamp of this version at all.
     *
     * @param buffer to read
     * @param offset of the message
     * @param length of the message
     * @return false for anything too short or of another version: foreign traffic
     */
    public static boolean isStamped(final DirectBuffer buffer, final int offset, final int length) {
        return length >= SHORT_LENGTH
                && (buffer.getByte(offset + FLAGS_OFFSET) & 0xff) >>> VERSION_SHIFT == VERSION;
    }

    /**
     * Intended time.
     *
     * @param buffer to read
     * @param offset of the message
     * @return ns on the sender's clock
     */
    public static long intendedNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + INTENDED_OFFSET, ORDER);
    }

    /**
     * Sequence.
     *
     * @param buffer to read
     * @param offset of the message
     * @return 32 bits, unsigned
     */
    public static int sequence(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + SEQUENCE_OFFSET, ORDER);
    }

    /**
     * Sequence, version, flags, step and source in one word: the next message of a source has a
     * word that is greater by one, until its sequence begins again.
     *
     * @param buffer to read
     * @param offset of the message
     * @return bytes 8 to 15, with the sequence in the lower half; never 0 for a stamped message
     */
    public static long numbers(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + SEQUENCE_OFFSET, ORDER);
    }

    /**
     * Flags.
     *
     * @param buffer to read
     * @param offset of the message
     * @return any of HELLO, WELCOME, WARM_UP, END, REPLY
     */
    public static int flags(final DirectBuffer buffer, final int offset) {
        return buffer.getByte(offset + FLAGS_OFFSET) & FLAGS_MASK;
    }

    /**
     * Step of the trial.
     *
     * @param buffer to read
     * @param offset of the message
     * @return 0 to 255
     */
    public static int step(final DirectBuffer buffer, final int offset) {
        return buffer.getByte(offset + STEP_OFFSET) & 0xff;
    }

    /**
     * Source.
     *
     * @param buffer to read
     * @param offset of the message
     * @return 0 to 65535
     */
    public static int source(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + SOURCE_OFFSET, ORDER) & 0xffff;
    }

    /**
     * Actual send time; only of messages of at least {@link #FULL_LENGTH}.
     *
     * @param buffer to read
     * @param offset of the message
     * @return ns on the sender's clock
     */
    public static long sentNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + SENT_OFFSET, ORDER);
    }

    /**
     * Trial id; only of messages of at least {@link #FULL_LENGTH}.
     *
     * @param buffer to read
     * @param offset of the message
     * @return the id
     */
    public static int trialId(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + TRIAL_OFFSET, ORDER);
    }

    /**
     * Checksum; only of messages of at least {@link #FULL_LENGTH}.
     *
     * @param buffer to read
     * @param offset of the message
     * @return CRC32C
     */
    public static int checksum(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + CHECKSUM_OFFSET, ORDER);
    }
}
