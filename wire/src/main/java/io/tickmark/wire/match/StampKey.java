package io.tickmark.wire.match;

import io.tickmark.wire.net.Hashing;

/** Tells stamped messages apart; messages of a group have one time and differ in sequence only. */
final class StampKey {
    private static final int STEP_MASK = 0xff;

    private StampKey() {}

    /** A key; {@code step} counts modulo 256, as in the stamp. */
    static long of(final long timeNs, final int step, final int source, final int sequence) {
        final long which =
                (long) sequence << Integer.SIZE | (long) (step & STEP_MASK) << Short.SIZE | source;
        return Hashing.mix(Hashing.mix(0, timeNs), which);
    }
}
