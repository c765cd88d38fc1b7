package io.tickmark.engines.chronicle;

import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * Checks messages as they are stored in a queue: CRC32C (int32, little-endian) of the payload, then
 * the payload; a queue has no checksums of its own. Single-threaded; allocates nothing.
 */
final class PayloadChecksum {
    static final int CHECKSUM_BYTES = Integer.BYTES;

    private final byte[] payload = new byte[QueueWriter.MAX_PAYLOAD_BYTES];
    private final CRC32C crc = new CRC32C();

    /** The checksum of a payload. */
    int of(final DirectBuffer buffer, final int offset, final int length) {
        buffer.getBytes(offset, payload, 0, length);
        crc.reset();
        crc.update(payload, 0, length);
        return (int) crc.getValue();
    }

    /** Whether a document with a message is unchanged since it was written. */
    boolean isWhole(final DirectBuffer document, final int length) {
        return length >= CHECKSUM_BYTES
                && length <= CHECKSUM_BYTES + payload.length
                && document.getInt(0, ByteOrder.LITTLE_ENDIAN)
                        == of(document, CHECKSUM_BYTES, length - CHECKSUM_BYTES);
    }
}
