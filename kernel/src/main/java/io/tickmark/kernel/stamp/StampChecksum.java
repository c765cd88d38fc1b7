package io.tickmark.kernel.stamp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * CRC32C (RFC 3720, appendix B.4) of a stamped message: payload first, then bytes 0 to 15 and 24 to
 * 27 of the stamp. Single-threaded; allocates only for a byte buffer that was not used recently.
 *
 * <p>Messages of one stream are alike. The contribution of a field of the stamp is looked up, and
 * cached while the field is unchanged. So is the sum of a short payload that equals the previous
 * one, byte for byte; longer ones are summed by the JDK's instruction. The result is always that of
 * the whole message.
 */
public final class StampChecksum {
    /** Bytes of the stamp that are summed, after the payload. */
    private static final int STAMP_BYTES = 20;

    private static final int SEQUENCE_OFFSET = 8;
    private static final int TRIAL_OFFSET = 24;

    /** Bytes after each field in the order in which they are summed. */
    private static final int BEHIND_INTENDED = 12;

    private static final int BEHIND_SEQUENCE = 8;
    private static final int BEHIND_REST = 4;
    private static final int BEHIND_TRIAL = 0;

    /** Longer payloads are summed each time: the JDK's instruction costs less than comparing. */
    private static final int LONGEST_KEPT = 4 * Long.BYTES;

    private static final int NOT_KEPT = -1;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final CRC32C crc = new CRC32C();
    private ByteBuffer seen;
    private ByteBuffer view;
    private int lastLength = NOT_KEPT;
    private long word0;
    private long word1;
    private long word2;
    private long word3;
    private int payloadPart;
    private long lastIntended;
    private int intendedPart = Crc32cParts.ofEight(0, BEHIND_INTENDED);
    private int lastRest;
    private int lastTrial;
    private int restAndTrialPart = partOf(0, 0);

    /** A checksum for one thread. */
    public StampChecksum() {}

    /**
     * Computes the checksum of a message.
     *
     * @param buffer that holds it, over a byte array or a byte buffer
     * @param offset of the message
     * @param length of the message, at least {@link Stamp#FULL_LENGTH}
     * @return the checksum to write or to compare
     */
    public int of(final DirectBuffer buffer, final int offset, final int length) {
        final int payloadOffset = offset + Stamp.FULL_LENGTH;
        final int payloadLength = length - Stamp.FULL_LENGTH;
        if (payloadLength != lastLength || !equalsLast(buffer, payloadOffset, payloadLength)) {
            sumPayload(buffer, payloadOffset, payloadLength);
        }
        final long intended = buffer.getLong(offset, ORDER);
        if (intended != lastIntended) {
            lastIntended = intended;
            intendedPart = Crc32cParts.ofEight(intended, BEHIND_INTENDED);
        }
        final long sequenceAndRest = buffer.getLong(offset + SEQUENCE_OFFSET, ORDER);
        final int rest = (int) (sequenceAndRest >>> Integer.SIZE);
        final int trial = buffer.getInt(offset + TRIAL_OFFSET, ORDER);
        if (rest != lastRest || trial != lastTrial) {
            lastRest = rest;
            lastTrial = trial;
            restAndTrialPart = partOf(rest, trial);
        }
        return ~(payloadPart ^ intendedPart ^ restAndTrialPart ^ ofSequence((int) sequenceAndRest));
    }

    /**
     * The contribution of a sequence: the checksum of a message is the exclusive or of this and the
     * checksum of the same message with sequence 0.
     *
     * @param sequence of the message
     * @return its contribution
     */
    public static int ofSequence(final int sequence) {
        return Crc32cParts.ofFour(sequence, BEHIND_SEQUENCE);
    }

    private static int partOf(final int rest, final int trial) {
        return Crc32cParts.ofFour(rest, BEHIND_REST) ^ Crc32cParts.ofFour(trial, BEHIND_TRIAL);
    }

    /** Unrolled: a loop costs as much as the instruction. */
    private boolean equalsLast(final DirectBuffer buffer, final int offset, final int length) {
        long difference = 0;
        if (length >= 8) {
            difference = buffer.getLong(offset) ^ word0;
        }
        if (length >= 16) {
            difference |= buffer.getLong(offset + 8) ^ word1;
        }
        if (length >= 24) {
            difference |= buffer.getLong(offset + 16) ^ word2;
        }
        if (length >= 32) {
            difference |= buffer.getLong(offset + 24) ^ word3;
        }
        return difference == 0;
    }

    private void sumPayload(final DirectBuffer buffer, final int offset, final int length) {
        payloadPart = Crc32cParts.ofRegister(~ofPayload(buffer, offset, length), STAMP_BYTES);
        final boolean isKept = length <= LONGEST_KEPT && length % Long.BYTES == 0;
        lastLength = isKept ? length : NOT_KEPT;
        if (isKept) {
            word0 = length >= 8 ? buffer.getLong(offset) : 0;
            word1 = length >= 16 ? buffer.getLong(offset + 8) : 0;
            word2 = length >= 24 ? buffer.getLong(offset + 16) : 0;
            word3 = length >= 32 ? buffer.getLong(offset + 24) : 0;
        }
    }

    private int ofPayload(final DirectBuffer buffer, final int offset, final int length) {
        crc.reset();
        final byte[] array = buffer.byteArray();
        final int adjusted = buffer.wrapAdjustment() + offset;
        if (array != null) {
            crc.update(array, adjusted, length);
            return (int) crc.getValue();
        }
        final ByteBuffer bytes = buffer.byteBuffer();
        if (bytes == null) {
            throw new IllegalArgumentException(
                    "a message must lie in a byte array or a byte buffer to be checked");
        }
        if (bytes != seen) {
            seen = bytes;
            view = bytes.duplicate();
        }
        view.limit(adjusted + length).position(adjusted);
        crc.update(view);
        return (int) crc.getValue();
    }

    /**
     * The contribution of a few bytes to a CRC32C over them and the bytes that follow (the
     * reflected polynomial 0x82F63B78 of RFC 3720, appendix B.4). The sum is linear: the register
     * after a range is the exclusive or of the contributions of each of its bytes and of the
     * register before it. So the parts can be computed separately, in any order, and cached while
     * they are unchanged; look-ups do not wait for one another as those of a running sum do (the
     * tables are those of "slicing-by-n", Kounavis and Berry, 2005). Stateless, any thread,
     * allocates nothing.
     */
    private static final class Crc32cParts {
        private static final int POLYNOMIAL = 0x82F63B78;
        private static final int SIZE = 256;

        /** Most bytes that may follow a byte. */
        private static final int MOST_BEHIND = 19;

        private static final int[] TABLES = tables();

        private Crc32cParts() {}

        /** Consecutive tables; the n-th is for a byte followed by n more bytes. */
        private static int[] tables() {
            final int[] tables = new int[(MOST_BEHIND + 1) * SIZE];
            for (int value = 0; value < SIZE; value++) {
                int crc = value;
                for (int bit = 0; bit < 8; bit++) {
                    crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
                }
                tables[value] = crc;
            }
            for (int i = SIZE; i < tables.length; i++) {
                final int shorter = tables[i - SIZE];
                tables[i] = shorter >>> 8 ^ tables[shorter & 0xff];
            }
            return tables;
        }

        /** Four bytes, little-endian, of which the last is followed by {@code behind} more. */
        static int ofFour(final int bytes, final int behind) {
            final int last = behind * SIZE;
            return TABLES[last + 3 * SIZE + (bytes & 0xff)]
                    ^ TABLES[last + 2 * SIZE + (bytes >>> 8 & 0xff)]
                    ^ TABLES[last + SIZE + (bytes >>> 16 & 0xff)]
                    ^ TABLES[last + (bytes >>> 24)];
        }

        /** Eight bytes, as {@link #ofFour}. */
        static int ofEight(final long bytes, final int behind) {
            return ofFour((int) bytes, behind + Integer.BYTES)
                    ^ ofFour((int) (bytes >>> Integer.SIZE), behind);
        }

        /**
         * The contribution of the register before {@code bytes} bytes, at least 4, to the one after
         * them.
         */
        static int ofRegister(final int register, final int bytes) {
            return ofFour(register, bytes - Integer.BYTES);
        }
    }
}
