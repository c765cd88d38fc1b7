package io.tickmark.kernel.stamp;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * CRC32C (RFC 3720, appendix B.4) of a stamped message: payload first, then bytes 0 to 15 and 24 to
 * 27 of the stamp. Single thread; allocates only when it meets a byte buffer it has not seen
 * lately.
 */
public final class StampChecksum {
    private static final int TRIAL_OFFSET = 24;
    private static final int TRIAL_LENGTH = 4;

    private final CRC32C crc = new CRC32C();
    private ByteBuffer seen;
    private ByteBuffer view;

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
        int state = ~ofPayload(buffer, offset + Stamp.FULL_LENGTH, length - Stamp.FULL_LENGTH);
        state = ShortCrc32c.update(state, buffer, offset, Stamp.SHORT_LENGTH);
        return ~ShortCrc32c.update(state, buffer, offset + TRIAL_OFFSET, TRIAL_LENGTH);
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
