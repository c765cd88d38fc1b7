package io.tickmark.wire.fix;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * The checksum of a FIX message: the sum of its bytes modulo 256 (FIX session layer, field 10).
 * Sums of parts can be added, so a body's sum can be kept and only the fields that change be summed
 * again. Stateless, any thread, allocates nothing.
 */
public final class FixChecksum {
    private static final long EVEN_BYTES = 0x00ff_00ff_00ff_00ffL;

    /** Words until one of the four 16-bit sums could overflow: each word adds up to 2 x 255. */
    private static final int WORDS_PER_ROUND = 128;

    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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
        final byte[] array = buffer.byteArray();
        if (array != null) {
            buffer.boundsCheck(offset, length);
            return of(array, buffer.wrapAdjustment() + offset, length);
        }
        buffer.boundsCheck(offset, length); // once, not for each word
        int sum = 0;
        long at = buffer.addressOffset() + offset;
        final long end = at + length;
        while (end - at >= Long.BYTES) {
            final long words = Math.min((end - at) / Long.BYTES, WORDS_PER_ROUND);
            final long roundEnd = at + words * Long.BYTES;
            long lanes = 0;
            for (; at < roundEnd; at += Long.BYTES) {
                final long word = UnsafeApi.getLong(at);
                lanes += (word & EVEN_BYTES) + (word >>> Byte.SIZE & EVEN_BYTES);
            }
            sum += folded(lanes);
        }
        for (; at < end; at++) {
            sum += UnsafeApi.getByte(at);
        }
        return sum & 0xff;
    }

    /**
     * Sums bytes of an array, the same way; the compiler makes vectors of this loop.
     *
     * @param bytes to read
     * @param offset of the first byte
     * @param length bytes, may be 0
     * @return the sum modulo 256
     */
    public static int of(final byte[] bytes, final int offset, final int length) {
        int sum = 0;
        int at = offset;
        final int end = offset + length;
        while (end - at >= Long.BYTES) {
            final int words = Math.min((end - at) / Long.BYTES, WORDS_PER_ROUND);
            final int roundEnd = at + words * Long.BYTES;
            long lanes = 0;
            for (; at < roundEnd; at += Long.BYTES) {
                final long word = (long) WORD.get(bytes, at);
                lanes += (word & EVEN_BYTES) + (word >>> Byte.SIZE & EVEN_BYTES);
            }
            sum += folded(lanes);
        }
        for (; at < end; at++) {
            sum += bytes[at];
        }
        return sum & 0xff;
    }

    private static int folded(final long lanes) {
        return (int) (lanes & 0xffff)
                + (int) (lanes >>> 16 & 0xffff)
                + (int) (lanes >>> 32 & 0xffff)
                + (int) (lanes >>> 48);
    }
}
