package io.tickmark.transport.nulls;

/**
 * What is programmed into a channel, as pure functions of a message's number, so that a caller can
 * compute the truth. The number is the sequence of the stamp. Messages with the flags HELLO,
 * WELCOME or END are delayed, but never lost, doubled or swapped. In order of precedence:
 *
 * <ul>
 *   <li><b>lost</b>: 1 % is 99, 199, 299, ...
 *   <li><b>twice</b>: 1 % is 49, 149, 249, ...; the copy follows at once
 *   <li><b>swapped</b>: message {@code 2k} arrives after {@code 2k + 1}, for every n-th k (n = 10:
 *       k = 9, 19, ...), unless one of the two is lost. If the second of them is not sent within
 *       {@link #LONGEST_HOLD_NS}, or another message is, the first is sent alone.
 *   <li><b>slow</b>: {@code bimodalDelay} instead of {@code delay}; 1 % is 74, 174, 274, ...
 * </ul>
 *
 * <p>{@code seed} is added to the message's number (to {@code k} for swaps) first. A message is
 * released at the time of its offer plus its delay, but never before the one sent before it; if
 * that falls into a stall, at the stall's end. Stalls fill the last {@code stallFor} of each {@code
 * stallEvery}, counted from the first message that is none of HELLO, WELCOME, END.
 */
public final class DelayProgram {
    /**
     * How long the first message of a swapped pair is held for the second one: longer than a
     * machine with other work keeps the sending thread from its core between the two.
     */
    public static final long LONGEST_HOLD_NS = 1_000_000_000;

    private static final double MIDDLE = 0.5;
    private static final double QUARTER = 0.25;

    private final Pattern losses;
    private final Pattern duplicates;
    private final Pattern slow;
    private final int reorderPairs;
    private final int seed;
    private final long delayNs;
    private final long slowDelayNs;
    private final long stallEveryNs;
    private final long stallForNs;

    /**
     * The program of a channel.
     *
     * @param parameters of the channel
     */
    public DelayProgram(final NullParameters parameters) {
        seed = parameters.seed();
        losses = new Pattern(parameters.lossPart(), 0, seed);
        duplicates = new Pattern(parameters.duplicatePart(), MIDDLE, seed);
        slow = new Pattern(parameters.bimodalPart(), QUARTER, seed);
        reorderPairs = parameters.reorderPairs();
        delayNs = parameters.delay().toNanos();
        slowDelayNs = parameters.bimodalDelay().toNanos();
        stallEveryNs = parameters.stallEvery().toNanos();
        stallForNs = parameters.stallFor().toNanos();
    }

    /**
     * Whether a message is lost.
     *
     * @param message its number
     * @return true if it is never released
     */
    public boolean loses(final long message) {
        return losses.picks(message);
    }

    /**
     * Whether a message is released twice.
     *
     * @param message its number
     * @return true if so
     */
    public boolean duplicates(final long message) {
        return duplicates.picks(message) && !loses(message);
    }

    /**
     * Whether a message is released after its successor.
     *
     * @param message its number
     * @return true if it is the first of a swapped pair
     */
    public boolean swapsWithNext(final long message) {
        return reorderPairs > 0
                && (message & 1) == 0
                && ((message >> 1) + 1 + seed) % reorderPairs == 0
                && !loses(message)
                && !loses(message + 1);
    }

    /**
     * Delay of a message.
     *
     * @param message its number
     * @return ns from offer to release, without stalls and messages before it
     */
    public long delayNs(final long message) {
        return slow.picks(message) ? slowDelayNs : delayNs;
    }

    /**
     * Delay of messages that are not numbered (HELLO, WELCOME, END).
     *
     * @return ns
     */
    public long delayNs() {
        return delayNs;
    }

    /**
     * Moves a time out of a stall.
     *
     * @param timeNs at which a message would be released
     * @param originNs time of the first message
     * @return the same time, or the end of the stall it falls into
     */
    public long afterStallNs(final long timeNs, final long originNs) {
        if (stallForNs == 0 || stallEveryNs == 0) {
            return timeNs;
        }
        final long phaseNs = Math.floorMod(timeNs - originNs, stallEveryNs);
        return phaseNs >= stallEveryNs - stallForNs ? timeNs + stallEveryNs - phaseNs : timeNs;
    }

    /**
     * Whether any message is delayed at all, so that time matters.
     *
     * @return false if all are released at once
     */
    public boolean delays() {
        return delayNs > 0 || slowDelayNs > 0 || stallForNs > 0;
    }

    boolean doubles() {
        return duplicates.pickedOf(1L << 32) > 0;
    }

    boolean swaps() {
        return reorderPairs > 0;
    }

    /**
     * Selects a part of numbered messages, evenly spread and deterministic: message {@code n} is
     * selected where {@code floor(((n + 1) p + phase) / 1e9) > floor((n p + phase) / 1e9)} with
     * {@code p} the part in billionths. One part in 100 with phase 0 selects 99, 199, 299 and so
     * on.
     */
    static final class Pattern {
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
        Pattern(final double part, final double phase, final long shift) {
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
        boolean picks(final long message) {
            return partBillionths != 0 && before(message + 1) > before(message);
        }

        /**
         * How many of the first messages are selected.
         *
         * @param messages how many
         * @return how many of them are selected
         */
        long pickedOf(final long messages) {
            return before(messages) - before(0);
        }

        private long before(final long message) {
            // (2^32 + 10^6) * 10^9 stays below 2^63.
            return ((message + shift) * partBillionths + phaseBillionths) / WHOLE;
        }
    }
}
