package io.tickmark.kernel.stamp;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * CRC32C eight bytes at a time through tables (the reflected polynomial 0x82F63B78 of RFC 3720,
 * appendix B.4; the method is "slicing-by-8", Kounavis and Berry, 2005). For short ranges only:
 * there the JDK's instruction costs more to call than these look-ups. Stateless, any thread,
 * allocates nothing.
 */
final class ShortCrc32c {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int SIZE = 256;
    private static final int[] TABLES = tables();

    private ShortCrc32c() {}

    /** Eight tables in a row; the n-th is for a byte that n more bytes follow. */
    private static int[] tables() {
        final int[] tables = new int[8 * SIZE];
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

    /** Carries a checksum on over a range; starts with and is finished by {@code ~}. */
    static int update(
            final int state, final DirectBuffer buffer, final int offset, final int length) {
        int crc = state;
        int at = offset;
        final int end = offset + length;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            crc = ofEight(buffer.getLong(at, ByteOrder.LITTLE_ENDIAN) ^ crc & 0xffffffffL);
        }
        for (; at < end; at++) {
            crc = crc >>> 8 ^ TABLES[(crc ^ buffer.getByte(at)) & 0xff];
        }
        return crc;
    }

    private static int ofEight(final long bytes) {
        return TABLES[7 * SIZE + (int) (bytes & 0xff)]
                ^ TABLES[6 * SIZE + (int) (bytes >>> 8 & 0xff)]
                ^ TABLES[5 * SIZE + (int) (bytes >>> 16 & 0xff)]
                ^ TABLES[4 * SIZE + (int) (bytes >>> 24 & 0xff)]
                ^ TABLES[3 * SIZE + (int) (bytes >>> 32 & 0xff)]
                ^ TABLES[2 * SIZE + (int) (bytes >>> 40 & 0xff)]
                ^ TABLES[SIZE + (int) (bytes >>> 48 & 0xff)]
                ^ TABLES[(int) (bytes >>> 56)];
    }
}
