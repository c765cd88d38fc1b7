package io.tickmark.kernel.time;

/**
 * How far another clock is ahead of this one, with a bound: the true offset lies within {@code
 * offsetNs - boundNs} and {@code offsetNs + boundNs}.
 *
 * @param offsetNs the other clock's reading less this one's
 * @param boundNs at least 0
 * @param exchanges it was made from
 */
public record ClockOffset(long offsetNs, long boundNs, int exchanges) {
    /** The offset of a clock to itself. */
    public static final ClockOffset SAME = new ClockOffset(0, 0, 0);

    /**
     * Collects exchanges of times with the other clock. Each says that the offset lies between
     * (remote send - local receive) and (remote receive - local send), whatever the delays of both
     * directions were; the intersection of all is the bound (Marzullo and Owicki, "Maintaining the
     * time in a distributed system", PODC 1983). Clocks drift while exchanges go on, so the bound
     * is widened by {@link #MAX_DRIFT} of the time from first to last. Single-threaded.
     */
    public static final class Estimator {
        /** Two undisciplined quartz clocks differ by less, as a fraction. */
        public static final double MAX_DRIFT = 100e-6;

        private long lowNs = Long.MIN_VALUE;
        private long highNs = Long.MAX_VALUE;
        private long quickestNs = Long.MAX_VALUE;
        private ClockOffset ofQuickest;
        private long firstNs;
        private long lastNs;
        private int exchanges;

        /** No exchange yet. */
        public Estimator() {}

        /**
         * One exchange.
         *
         * @param sentNs by this clock, before the request was sent
         * @param remoteReceivedNs by the other clock
         * @param remoteSentNs by the other clock
         * @param receivedNs by this clock, after the answer arrived
         */
        public void add(
                final long sentNs,
                final long remoteReceivedNs,
                final long remoteSentNs,
                final long receivedNs) {
            if (exchanges++ == 0) {
                firstNs = sentNs;
            }
            lastNs = receivedNs;
            final long low = remoteSentNs - receivedNs;
            final long high = remoteReceivedNs - sentNs;
            lowNs = Math.max(lowNs, low);
            highNs = Math.min(highNs, high);
            if (high - low < quickestNs) {
                quickestNs = high - low;
                ofQuickest = new ClockOffset(low + (high - low) / 2, (high - low + 1) / 2, 1);
            }
        }

        /**
         * Exchanges so far.
         *
         * @return their number
         */
        public int exchanges() {
            return exchanges;
        }

        /**
         * The offset and its time, halfway between the first exchange and the last.
         *
         * @return as {@link #estimate()} has it
         * @throws IllegalStateException without exchanges
         */
        public ClockReading reading() {
            return new ClockReading(firstNs + (lastNs - firstNs) / 2, estimate());
        }

        /**
         * The offset.
         *
         * @return from all exchanges; from the quickest only where they contradict each other,
         *     because a clock stepped
         * @throws IllegalStateException without exchanges
         */
        public ClockOffset estimate() {
            if (exchanges == 0) {
                throw new IllegalStateException("no exchange");
            }
            final long driftNs = (long) Math.ceil((lastNs - firstNs) * MAX_DRIFT);
            if (highNs < lowNs - 2 * driftNs) {
                return new ClockOffset(
                        ofQuickest.offsetNs, ofQuickest.boundNs + driftNs, exchanges);
            }
            final long widthNs = Math.abs(highNs - lowNs);
            return new ClockOffset(
                    Math.min(lowNs, highNs) + widthNs / 2, (widthNs + 1) / 2 + driftNs, exchanges);
        }
    }
}
