package io.tickmark.engines.rabbitmq;

import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message as stored in a queue: the payload, the message's ordinal (int64) and the CRC32C of both
 * (RFC 3720, int32), big-endian. Queues do not report positions of messages to clients, and classic
 * ones keep no checksum.
 *
 * @param ordinal of the message, from 0; {@link #DAMAGED} where the checksum is wrong
 * @param tag by which it is acknowledged
 * @param body with payload and trailer
 */
record StoredMessage(long ordinal, long tag, byte[] body) {
    static final int TRAILER_BYTES = BitUtil.SIZE_OF_LONG + BitUtil.SIZE_OF_INT;
    static final long DAMAGED = -1;

    static StoredMessage of(final long tag, final byte[] body) {
        final UnsafeBuffer buffer = new UnsafeBuffer(body);
        final int checkedBytes = body.length - BitUtil.SIZE_OF_INT;
        final boolean isWhole =
                body.length >= TRAILER_BYTES
                        && buffer.getInt(checkedBytes, ByteOrder.BIG_ENDIAN) == checksum(body);
        return new StoredMessage(
                isWhole
                        ? buffer.getLong(body.length - TRAILER_BYTES, ByteOrder.BIG_ENDIAN)
                        : DAMAGED,
                tag,
                body);
    }

    static byte[] body(
            final DirectBuffer payload, final int offset, final int length, final long ordinal) {
        final byte[] body = new byte[length + TRAILER_BYTES];
        payload.getBytes(offset, body, 0, length);
        final UnsafeBuffer buffer = new UnsafeBuffer(body);
        buffer.putLong(length, ordinal, ByteOrder.BIG_ENDIAN);
        buffer.putInt(length + BitUtil.SIZE_OF_LONG, checksum(body), ByteOrder.BIG_ENDIAN);
        return body;
    }

    boolean isWhole() {
        return ordinal != DAMAGED;
    }

    int payloadBytes() {
        return body.length - TRAILER_BYTES;
    }

    private static int checksum(final byte[] body) {
        final CRC32C crc = new CRC32C();
        crc.update(body, 0, body.length - BitUtil.SIZE_OF_INT);
        return (int) crc.getValue();
    }
}
