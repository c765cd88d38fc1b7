package io.tickmark.kernel.time;

/**
 * The multiples of a fraction, rounded to whole numbers, in exact integer arithmetic: no error adds
 * up however long it runs. Single thread, allocates nothing.
 */
final class Ratio {
    /** Rates are taken to the millionth of a message per second. */
    static final long RATE_SCALE = 1_000_000;

    private final long wholePart;
    private final long remainder;
    private final long denominator;
    private final long firstRest;
    private long rest;
    private long value;

    /** {@code firstRest} 0 rounds down, half the denominator rounds to the nearest. */
    private Ratio(final long numerator, final long denominator, final long firstRest) {
        this.wholePart = numerator / denominator;
        this.remainder = numerator % denominator;
        this.denominator = denominator;
        this.firstRest = firstRest;
        restart(0);
    }

    static Ratio roundedDown(final long numerator, final long denominator) {
        return new Ratio(numerator, denominator, 0);
    }

    static Ratio roundedToNearest(final long numerator, final long denominator) {
        return new Ratio(numerator, denominator, denominator / 2);
    }

    /** A rate in millionths of a message per second. */
    static long scaled(final double ratePerSecond) {
        return Math.round(ratePerSecond * RATE_SCALE);
    }

    /** Back to the zeroth multiple, which is {@code from}. */
    void restart(final long from) {
        rest = firstRest;
        value = from;
    }

    /** The current multiple; moves on to the next one. */
    long next() {
        final long current = value;
        value += wholePart;
        rest += remainder;
        if (rest >= denominator) {
            rest -= denominator;
            value++;
        }
        return current;
    }
}
