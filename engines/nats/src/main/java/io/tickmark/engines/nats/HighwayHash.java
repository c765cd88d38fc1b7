package io.tickmark.engines.nats;

/**
 * HighwayHash with a result of 64 bits (Alakuijala, Cox, Wassenberg: "Fast keyed hash/pseudo-random
 * function using SIMD multiply and permute", 2016), the checksum of JetStream's files.
 * Single-threaded.
 */
final class HighwayHash {
    private static final int PACKET = 32;
    private static final int LANES = 4;
    private static final long LOW = 0xffffffffL;
    private static final int FINAL_ROUNDS = 4;

    private static final long[] INIT_0 = {
        0xdbe6d5d5fe4cce2fL, 0xa4093822299f31d0L, 0x13198a2e03707344L, 0x243f6a8885a308d3L
    };
    private static final long[] INIT_1 = {
        0x3bd39e10cb0ef593L, 0xc0acf169b5f18a8cL, 0xbe5466cf34e90c6cL, 0x452821e638d01377L
    };

    private final long[] v0 = new long[LANES];
    private final long[] v1 = new long[LANES];
    private final long[] mul0 = new long[LANES];
    private final long[] mul1 = new long[LANES];
    private final long[] lanes = new long[LANES];
    private final byte[] rest = new byte[PACKET];
    private final byte[] key;

    /** With a key of 32 bytes. */
    HighwayHash(final byte[] key) {
        this.key = key.clone();
    }

    /** The hash of some bytes. */
    long hash(final byte[] bytes, final int offset, final int length) {
        reset();
        int at = 0;
        for (; length - at >= PACKET; at += PACKET) {
            update(bytes, offset + at);
        }
        if (at < length) {
            updateRest(bytes, offset + at, length - at);
        }
        for (int i = 0; i < FINAL_ROUNDS; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                lanes[lane] = Long.rotateRight(v0[lane ^ 2], 32);
            }
            update();
        }
        return v0[0] + v1[0] + mul0[0] + mul1[0];
    }

    private void reset() {
        for (int i = 0; i < LANES; i++) {
            final long part = read(key, i * Long.BYTES);
            mul0[i] = INIT_0[i];
            mul1[i] = INIT_1[i];
            v0[i] = mul0[i] ^ part;
            v1[i] = mul1[i] ^ Long.rotateRight(part, 32);
        }
    }

    private void update(final byte[] packet, final int offset) {
        for (int i = 0; i < LANES; i++) {
            lanes[i] = read(packet, offset + i * Long.BYTES);
        }
        update();
    }

    private void update() {
        for (int i = 0; i < LANES; i++) {
            v1[i] += mul0[i] + lanes[i];
            mul0[i] ^= (v1[i] & LOW) * (v0[i] >>> 32);
            v0[i] += mul1[i];
            mul1[i] ^= (v0[i] & LOW) * (v1[i] >>> 32);
        }
        zipAndAdd(v1, v0);
        zipAndAdd(v0, v1);
    }

    private static void zipAndAdd(final long[] from, final long[] to) {
        for (int i = 0; i < LANES; i += 2) {
            final long a = from[i];
            final long b = from[i + 1];
            to[i] += zipLow(a, b);
            to[i + 1] += zipHigh(a, b);
        }
    }

    private static long zipLow(final long a, final long b) {
        return ((a & 0xff000000L) | (b & 0xff00000000L)) >>> 24
                | ((a & 0xff0000000000L) | (b & 0xff000000000000L)) >>> 16
                | a & 0xff0000L
                | (a & 0xff00L) << 32
                | (b & 0xff00000000000000L) >>> 8
                | a << 56;
    }

    private static long zipHigh(final long a, final long b) {
        return ((b & 0xff000000L) | (a & 0xff00000000L)) >>> 24
                | b & 0xff0000L
                | (b & 0xff0000000000L) >>> 16
                | (b & 0xff00L) << 24
                | (a & 0xff000000000000L) >>> 8
                | (b & 0xffL) << 48
                | a & 0xff00000000000000L;
    }

    private void updateRest(final byte[] bytes, final int offset, final int size) {
        final int last = size & 3;
        final int whole = size - last;
        for (int i = 0; i < LANES; i++) {
            v0[i] += ((long) size << 32) + size;
            v1[i] = rotateHalves(v1[i], size);
        }
        java.util.Arrays.fill(rest, (byte) 0);
        System.arraycopy(bytes, offset, rest, 0, whole);
        if ((size & 16) != 0) {
            for (int i = 0; i < 4; i++) {
                rest[28 + i] = bytes[offset + whole + i + last - 4];
            }
        } else if (last != 0) {
            rest[16] = bytes[offset + whole];
            rest[17] = bytes[offset + whole + (last >>> 1)];
            rest[18] = bytes[offset + whole + last - 1];
        }
        update(rest, 0);
    }

    private static long rotateHalves(final long value, final int by) {
        final int low = Integer.rotateLeft((int) value, by);
        final int high = Integer.rotateLeft((int) (value >>> 32), by);
        return (long) high << 32 | low & LOW;
    }

    private static long read(final byte[] bytes, final int offset) {
        long value = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            value = value << 8 | bytes[offset + i] & 0xff;
        }
        return value;
    }
}
