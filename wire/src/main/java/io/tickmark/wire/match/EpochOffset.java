package io.tickmark.wire.match;

import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;

/**
 * How far the clock of a capture (since the epoch) is ahead of the monotonic clock that stamps are
 * on, at the beginning and at the end of the capture on the same host.
 *
 * @param beginNs at the beginning
 * @param endNs at the end
 */
public record EpochOffset(long beginNs, long endNs) {
    private static final int TRIES = 2000;

    /**
     * Reads both clocks; the try with the shortest time around it counts.
     *
     * @param clock monotonic
     * @param wallClock since the epoch
     * @return wall clock minus monotonic clock, ns
     */
    public static long measure(final NanoClock clock, final EpochNanoClock wallClock) {
        long shortestNs = Long.MAX_VALUE;
        long offsetNs = 0;
        for (int i = 0; i < TRIES; i++) {
            final long beforeNs = clock.nanoTime();
            final long wallNs = wallClock.nanoTime();
            final long afterNs = clock.nanoTime();
            if (afterNs - beforeNs < shortestNs) {
                shortestNs = afterNs - beforeNs;
                offsetNs = wallNs - beforeNs - (afterNs - beforeNs) / 2;
            }
        }
        return offsetNs;
    }

    /**
     * The offset in the middle.
     *
     * @return ns
     */
    public long ns() {
        return beginNs + (endNs - beginNs) / 2;
    }

    /**
     * How far the clocks moved against each other.
     *
     * @return ns
     */
    public long movedNs() {
        return Math.abs(endNs - beginNs);
    }
}
