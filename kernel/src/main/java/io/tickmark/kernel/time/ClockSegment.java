package io.tickmark.kernel.time;

/**
 * A linear piece of the mapping from a machine's clock to a time line shared with other machines,
 * valid from a reading of the machine's clock on.
 *
 * @param fromNs reading of the machine's clock at which it begins
 * @param lineNs time on the line at that reading
 * @param rate how much faster the line runs than the machine's clock, as a fraction: -200e-6 where
 *     that clock gains 200 us a second
 */
public record ClockSegment(long fromNs, long lineNs, double rate) {
    /** The piece for a clock that is the line itself. */
    public static final ClockSegment SAME = new ClockSegment(0, 0, 0);

    /**
     * Whether the clock is the line itself. A role asks this once while users wait for it to start;
     * {@link #equals} would first have to be linked.
     *
     * @return true for {@link #SAME} and its equals
     */
    public boolean changesNothing() {
        return fromNs == 0 && lineNs == 0 && rate == 0;
    }

    /**
     * The time on the line. Allocates nothing.
     *
     * @param readingNs of the machine's clock; one before {@code fromNs} is mapped by the same line
     * @return ns
     */
    public long at(final long readingNs) {
        final long sinceNs = readingNs - fromNs;
        return lineNs + sinceNs + (long) (sinceNs * rate);
    }
}
