package io.tickmark.kernel.stamp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * CRC32C (RFC 3720, appendix B.4) of a stamped message: payload first, then bytes 0 to 15 and 24 to
 * 27 of the stamp. Single thread; allocates only when it meets a byte buffer it has not seen
 * lately.
 *
 * <p>The payload is summed by the JDK's instruction, each time. What the fields of the stamp add is
 * looked up, and kept while a field stays as it was: messages of one stream are alike. The result
 * is always that of the whole message.
 */
public final class StampChecksum {
    /** Bytes of the stamp that are summed, behind the payload. */
    private static final int STAMP_BYTES = 20;

    private static final int SEQUENCE_OFFSET = 8;
    private static final int REST_OFFSET = 12;
    private static final int TRIAL_OFFSET = 24;

    /** Bytes behind each field in the order in which they are summed. */
    private static final int BEHIND_INTENDED = 12;

    private static final int BEHIND_SEQUENCE = 8;
    private static final int BEHIND_REST = 4;
    private static final int BEHIND_TRIAL = 0;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final CRC32C crc = new CRC32C();
    private ByteBuffer seen;
    private ByteBuffer view;
    private int lastPayloadCrc;
    private int payloadPart = Crc32cParts.ofRegister(~0, STAMP_BYTES);
    private long lastIntended;
    private int intendedPart = Crc32cParts.ofEight(0, BEHIND_INTENDED);
    private long lastRestAndTrial;
    private int restAndTrialPart = partOf(0, 0);

    /** A checksum of one thread. */
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
        final int payloadCrc =
                ofPayload(buffer, offset + Stamp.FULL_LENGTH, length - Stamp.FULL_LENGTH);
        if (payloadCrc != lastPayloadCrc) {
            lastPayloadCrc = payloadCrc;
            payloadPart = Crc32cParts.ofRegister(~payloadCrc, STAMP_BYTES);
        }
        final long intended = buffer.getLong(offset, ORDER);
        if (intended != lastIntended) {
            lastIntended = intended;
            intendedPart = Crc32cParts.ofEight(intended, BEHIND_INTENDED);
        }
        final int rest = buffer.getInt(offset + REST_OFFSET, ORDER);
        final int trial = buffer.getInt(offset + TRIAL_OFFSET, ORDER);
        final long restAndTrial = (long) rest << Integer.SIZE | trial & 0xffffffffL;
        if (restAndTrial != lastRestAndTrial) {
            lastRestAndTrial = restAndTrial;
            restAndTrialPart = partOf(rest, trial);
        }
        final int sequence = buffer.getInt(offset + SEQUENCE_OFFSET, ORDER);
        return ~(payloadPart ^ intendedPart ^ restAndTrialPart ^ ofSequence(sequence));
    }

    /**
     * What a sequence adds: the checksum of a message is, by exclusive or, this and the checksum of
     * the same message with sequence 0.
     *
     * @param sequence of the message
     * @return what it adds
     */
    public static int ofSequence(final int sequence) {
        return Crc32cParts.ofFour(sequence, BEHIND_SEQUENCE);
    }

    private static int partOf(final int rest, final int trial) {
        return Crc32cParts.ofFour(rest, BEHIND_REST) ^ Crc32cParts.ofFour(trial, BEHIND_TRIAL);
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
}
