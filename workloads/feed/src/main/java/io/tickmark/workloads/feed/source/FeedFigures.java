package io.tickmark.workloads.feed.source;

/**
 * Figures of a feed since it started.
 *
 * @param sent messages
 * @param backPressured times that a message had to wait for room
 * @param lagNs how far the message that is next is behind its intended time now
 * @param maxLagNs longest delay of a message behind its intended time
 * @param maxTightSends most messages in a row without waiting for the schedule
 * @param lost messages that a publisher numbered and that did not come; 0 of a feed of our own
 * @param skipped messages from a channel that are none of a feed, or of a symbol beyond ours
 */
public record FeedFigures(
        long sent,
        long backPressured,
        long lagNs,
        long maxLagNs,
        long maxTightSends,
        long lost,
        long skipped) {
    /** Of a feed that has not begun. */
    public static final FeedFigures NONE = new FeedFigures(0, 0, 0, 0, 0, 0, 0);

    /** The figures of two threads together. */
    FeedFigures and(final FeedFigures other) {
        return new FeedFigures(
                sent + other.sent,
                backPressured + other.backPressured,
                Math.max(lagNs, other.lagNs),
                Math.max(maxLagNs, other.maxLagNs),
                Math.max(maxTightSends, other.maxTightSends),
                lost + other.lost,
                skipped + other.skipped);
    }
}
