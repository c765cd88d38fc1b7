package io.tickmark.wire.net;

/** Mixing of 64-bit values, for tables of bounded size. */
public final class Hashing {
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    private Hashing() {}

    /**
     * Mixes a value into a hash.
     *
     * @param hash so far
     * @param value to add
     * @return the next hash; of equal steps the same, of others most likely another
     */
    public static long mix(final long hash, final long value) {
        final long product = (hash ^ value) * MULTIPLIER;
        return product ^ product >>> 29;
    }

    /**
     * Spreads a hash over all of its bits.
     *
     * @param hash as mixed
     * @return a hash whose low bits are good, too
     */
    public static long spread(final long hash) {
        final long once = (hash ^ hash >>> 32) * MULTIPLIER;
        return once ^ once >>> 29;
    }
}
