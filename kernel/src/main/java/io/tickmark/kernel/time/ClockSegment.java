package io.tickmark.kernel.time;

/**
 * A straight piece of the way from a machine's clock to a time line that others live on too: what
 * the line says from a reading of the machine's clock on.
 *
 * @param fromNs reading of the machine's clock at which it begins
 * @param lineNs time on the line at that reading
 * @param rate how much faster the line runs than the machine's clock, as a fraction: -200e-6 where
 *     that clock gains 200 us a second
 */
public record ClockSegment(long fromNs, long lineNs, double rate) {
    /** Of a clock that is the line itself. */
    public static final ClockSegment SAME = new ClockSegment(0, 0, 0);

    /**
     * The time on the line. Allocates nothing.
     *
     * @param readingNs of the machine's clock; one before {@code fromNs} is on the same straight
     *     line
     * @return ns
     */
    public long at(final long readingNs) {
        final long sinceNs = readingNs - fromNs;
        return lineNs + sinceNs + (long) (sinceNs * rate);
    }
}
