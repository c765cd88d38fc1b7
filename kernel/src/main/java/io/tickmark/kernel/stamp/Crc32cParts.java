package io.tickmark.kernel.stamp;

/**
 * What a few bytes add to a CRC32C that more bytes follow (the reflected polynomial 0x82F63B78 of
 * RFC 3720, appendix B.4). The sum is linear: the register after a range is the exclusive or of
 * what each of its bytes, and the register before it, come to. So the parts can be computed apart,
 * in any order, and kept while they stay the same; look-ups do not wait for one another as those of
 * a running sum do (the tables are those of "slicing-by-n", Kounavis and Berry, 2005). Stateless,
 * any thread, allocates nothing.
 */
final class Crc32cParts {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int SIZE = 256;

    /** Most bytes that may follow a byte. */
    private static final int MOST_BEHIND = 19;

    private static final int[] TABLES = tables();

    private Crc32cParts() {}

    /** One behind the other; the n-th is for a byte that n more bytes follow. */
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

    /** The register before {@code bytes} bytes, 4 at least, as it counts behind them. */
    static int ofRegister(final int register, final int bytes) {
        return ofFour(register, bytes - Integer.BYTES);
    }
}
