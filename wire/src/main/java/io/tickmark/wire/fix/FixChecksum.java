package io.tickmark.wire.fix;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * The checksum of a FIX message: the sum of its bytes modulo 256 (FIX session layer, field 10).
 * Sums of parts can be added, so a body's sum can be kept and only the fields that change be summed
 * again. Stateless, any thread, allocates nothing.
 */
public final class FixChecksum {
    private static final long EVEN_BYTES = 0x00ff_00ff_00ff_00ffL;

    /** Words until one of the four 16-bit sums could overflow: each word adds up to 2 x 255. */
    private static final int WORDS_PER_ROUND = 128;

    private FixChecksum() {}

    /**
     * Sums bytes, eight at a time in four lanes of 16 bits.
     *
     * @param buffer to read
     * @param offset of the first byte
     * @param length bytes, may be 0
     * @return the sum modulo 256
     */
    public static int of(final DirectBuffer buffer, final int offset, final int length) {
        int sum = 0;
        int at = offset;
        final int end = offset + length;
        while (end - at >= Long.BYTES) {
            final int words = Math.min((end - at) / Long.BYTES, WORDS_PER_ROUND);
            final int roundEnd = at + words * Long.BYTES;
            long lanes = 0;
            for (; at < roundEnd; at += Long.BYTES) {
                final long word = buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
                lanes += (word & EVEN_BYTES) + (word >>> Byte.SIZE & EVEN_BYTES);
            }
            sum += (int) (lanes & 0xffff) + (int) (lanes >>> 16 & 0xffff);
            sum += (int) (lanes >>> 32 & 0xffff) + (int) (lanes >>> 48);
        }
        for (; at < end; at++) {
            sum += buffer.getByte(at);
        }
        return sum & 0xff;
    }
}
