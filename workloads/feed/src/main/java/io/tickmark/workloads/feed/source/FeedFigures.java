package io.tickmark.workloads.feed.source;

/**
 * What a feed has done since it began.
 *
 * @param sent messages
 * @param backPressured times that a message had to wait for room
 * @param maxLagNs longest delay of a message behind its intended time
 * @param maxTightSends most messages in a row without waiting for the schedule
 */
public record FeedFigures(long sent, long backPressured, long maxLagNs, long maxTightSends) {
    /** Of a feed that has not begun. */
    public static final FeedFigures NONE = new FeedFigures(0, 0, 0, 0);

    /** Those of two threads together. */
    FeedFigures and(final FeedFigures other) {
        return new FeedFigures(
                sent + other.sent,
                backPressured + other.backPressured,
                Math.max(maxLagNs, other.maxLagNs),
                Math.max(maxTightSends, other.maxTightSends));
    }
}
