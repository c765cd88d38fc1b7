package io.tickmark.transport.broker;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message of a stored topic whose broker keeps no ordinal or no checksum of its own, so that both
 * are stored with it: in its properties where the broker has some, otherwise after the payload, as
 * {@link #withTrailer} writes it.
 *
 * @param <R> what the engine's client needs to acknowledge it
 * @param ordinal of the message, from 0; -1 where it has none, or where the checksum is wrong: then
 *     nothing that the message says of itself is believed
 * @param isWhole whether the checksum is right
 * @param bytes that begin with the payload
 * @param payloadBytes length of the payload
 * @param receipt by which it is acknowledged
 */
public record StoredMessage<R>(
        long ordinal, boolean isWhole, byte[] bytes, int payloadBytes, R receipt) {
    /** Bytes after a payload: its ordinal (int64) and the {@link #checksum} (int32), big-endian. */
    public static final int TRAILER_BYTES = BitUtil.SIZE_OF_LONG + BitUtil.SIZE_OF_INT;

    private static final long NONE = -1;

    /**
     * A message whose ordinal and checksum were stored beside it.
     *
     * @param <R> what the engine's client needs to acknowledge it
     * @param payload all of it
     * @param ordinal that was stored with it; -1 for none
     * @param checksum that was stored with it; null for none
     * @param receipt by which it is acknowledged
     * @return the message; one that was damaged has no ordinal
     */
    public static <R> StoredMessage<R> of(
            final byte[] payload, final long ordinal, final Integer checksum, final R receipt) {
        final boolean isWhole =
                checksum != null && checksum == checksum(payload, payload.length, ordinal);
        return new StoredMessage<>(
                isWhole ? ordinal : NONE, isWhole, payload, payload.length, receipt);
    }

    /**
     * A message with a trailer.
     *
     * @param <R> what the engine's client needs to acknowledge it
     * @param stored payload and trailer
     * @param receipt by which it is acknowledged
     * @return the message; one that was damaged has no ordinal
     */
    public static <R> StoredMessage<R> ofTrailer(final byte[] stored, final R receipt) {
        final int length = stored.length - TRAILER_BYTES;
        if (length < 0) {
            return new StoredMessage<>(NONE, false, stored, 0, receipt);
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(stored);
        final long ordinal = buffer.getLong(length, ByteOrder.BIG_ENDIAN);
        final boolean isWhole =
                buffer.getInt(length + BitUtil.SIZE_OF_LONG, ByteOrder.BIG_ENDIAN)
                        == checksum(stored, length, ordinal);
        return new StoredMessage<>(isWhole ? ordinal : NONE, isWhole, stored, length, receipt);
    }

    /**
     * Copies a payload and puts the trailer after it.
     *
     * @param payload that is stored
     * @param offset of it
     * @param length of it
     * @param ordinal of the message
     * @return what to store
     */
    public static byte[] withTrailer(
            final DirectBuffer payload, final int offset, final int length, final long ordinal) {
        final byte[] stored = new byte[length + TRAILER_BYTES];
        payload.getBytes(offset, stored, 0, length);
        final UnsafeBuffer buffer = new UnsafeBuffer(stored);
        buffer.putLong(length, ordinal, ByteOrder.BIG_ENDIAN);
        buffer.putInt(
                length + BitUtil.SIZE_OF_LONG,
                checksum(stored, length, ordinal),
                ByteOrder.BIG_ENDIAN);
        return stored;
    }

    /**
     * The checksum that is stored with a message: CRC32C (RFC 3720) of the payload followed by the
     * ordinal as int64, big-endian.
     *
     * @param payload bytes that begin with it
     * @param length of it
     * @param ordinal of the message
     * @return the checksum
     */
    public static int checksum(final byte[] payload, final int length, final long ordinal) {
        final CRC32C crc = new CRC32C();
        crc.update(payload, 0, length);
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, ordinal));
        return (int) crc.getValue();
    }
}
