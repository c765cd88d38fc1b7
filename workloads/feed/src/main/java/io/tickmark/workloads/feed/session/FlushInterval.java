package io.tickmark.workloads.feed.session;

/**
 * When sessions have not held their flush interval: more than 1 % of the flushes, and more than
 * two, were late by an interval or more. One or two late ones are a single delay, which says little
 * of a slow feed. The page of the console judges likewise.
 */
public final class FlushInterval {
    /** Flushes that were late, all of them, and in %. */
    public static final String NOT_HELD =
            "The flush interval was not held: %d of %d flushes {was|were} late by an interval or more"
                    + " (%.2f %%); more --session-threads, a longer interval or fewer clients would"
                    + " help.";

    private static final double MOST_LATE_PART = 0.01;
    private static final double MOST_LATE = 2;

    private FlushInterval() {}

    /**
     * Whether it was held.
     *
     * @param flushes of sessions with an interval
     * @param late of these, those that were late by an interval or more
     * @return false where too many were
     */
    public static boolean isHeld(final double flushes, final double late) {
        return late <= Math.max(MOST_LATE_PART * flushes, MOST_LATE);
    }
}
