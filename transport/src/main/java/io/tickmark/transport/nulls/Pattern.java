package io.tickmark.transport.nulls;

/**
 * Selects a part of numbered messages, evenly spread and deterministic: message {@code n} is
 * selected where {@code floor(((n + 1) p + phase) / 1e9) > floor((n p + phase) / 1e9)} with {@code
 * p} the part in billionths. One part in 100 with phase 0 selects 99, 199, 299 and so on.
 */
public final class Pattern {
    private static final long WHOLE = 1_000_000_000L;

    private final long partBillionths;
    private final long phaseBillionths;
    private final long shift;

    /**
     * A pattern.
     *
     * @param part of the messages to select, 0 to 1, taken to nine decimals
     * @param phase where in its period it selects, 0 (the end) to 1
     * @param shift messages by which the pattern is shifted, at most a million
     */
    public Pattern(final double part, final double phase, final long shift) {
        this.partBillionths = Math.round(part * WHOLE);
        this.phaseBillionths = Math.round(phase * WHOLE);
        this.shift = shift;
    }

    /**
     * Whether a message is selected.
     *
     * @param message its number, from 0, below 2^32
     * @return true if so
     */
    public boolean picks(final long message) {
        return partBillionths != 0 && before(message + 1) > before(message);
    }

    /**
     * How many of the first messages are selected.
     *
     * @param messages how many
     * @return how many of them are selected
     */
    public long pickedOf(final long messages) {
        return before(messages) - before(0);
    }

    private long before(final long message) {
        // (2^32 + 10^6) * 10^9 stays below 2^63.
        return ((message + shift) * partBillionths + phaseBillionths) / WHOLE;
    }
}
