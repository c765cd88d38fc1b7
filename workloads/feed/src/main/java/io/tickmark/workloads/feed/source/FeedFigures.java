package io.tickmark.workloads.feed.source;

/**
 * Figures of a feed since it started.
 *
 * @param sent messages
 * @param backPressured times that a message had to wait for room
 * @param lagNs how far the message that is next is behind its intended time now
 * @param maxLagNs longest delay of a message behind its intended time
 * @param maxTightSends most messages in a row without waiting for the schedule
 * @param lost numbered messages of a publisher that did not arrive; 0 for a feed of our own
 * @param skipped messages from a channel that do not belong to a feed, or to one of its symbols
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
