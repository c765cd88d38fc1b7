package io.tickmark.bench.aeron;

/**
 * What a message of the bare stream is for: its first eight bytes. The next eight may be its time.
 */
final class Phase {
    static final int TIME_OFFSET = Long.BYTES;
    static final long WARM_UP = 1;
    static final long COUNTED = 2;
    static final long END = 3;

    private Phase() {}
}
