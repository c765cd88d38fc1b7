package io.tickmark.bench.aeron;

/** What a message of the bare stream is for: its first eight bytes. */
final class Phase {
    static final long WARM_UP = 1;
    static final long COUNTED = 2;
    static final long END = 3;

    private Phase() {}
}
