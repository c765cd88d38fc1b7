package io.tickmark.kernel.time;

/**
 * How far another clock was ahead at a moment.
 *
 * @param atNs the moment, by this clock
 * @param offset at that moment, with its bound
 */
public record ClockReading(long atNs, ClockOffset offset) {
    /**
     * The lower bound of how far the other clock was ahead.
     *
     * @return ns
     */
    long lowNs() {
        return offset.offsetNs() - offset.boundNs();
    }

    /**
     * The upper bound of how far the other clock was ahead.
     *
     * @return ns
     */
    long highNs() {
        return offset.offsetNs() + offset.boundNs();
    }
}
