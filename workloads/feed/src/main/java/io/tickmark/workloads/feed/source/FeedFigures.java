package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;

/**
 * Figures of a feed since it started. Those that a feed returns are a copy, which no longer
 * changes.
 *
 * @param sent messages
 * @param backPressured times that a message had to wait for room
 * @param lagNs how far the message that is next is behind its intended time now
 * @param maxLagNs longest delay of a message behind its intended time
 * @param maxTightSends most messages in a row without waiting for the schedule
 * @param lost numbered messages of a publisher that did not arrive; 0 for a feed of our own. Less
 *     than before where one came late
 * @param fromArrival messages whose times count from their arrival here, as their source has
 *     another clock
 * @param skipped messages from a channel that do not belong to a feed, or to one of its symbols
 */
public record FeedFigures(
        @Column Counter sent,
        @Column Counter backPressured,
        @Column(isLargest = true) Counter lagNs,
        @Column(isLargest = true) Counter maxLagNs,
        @Column(isLargest = true) Counter maxTightSends,
        @Column(
                        metric = "sourceLost",
                        failure =
                                "%d message{|s} of the source {was|were} lost on the way to the server.")
                Counter lost,
        @Column(
                        metric = "sourceFromArrival",
                        warning =
                                "The time{|s} of %d message{|s} {counts|count} from when {it|they} arrived here: {its|their}"
                                        + " source is on another host, whose clock is not this one's. A plan with 'hosts'"
                                        + " aligns the clocks.")
                Counter fromArrival,
        @Column(
                        metric = "sourceSkipped",
                        warning =
                                "%d message{|s} of the source {was|were} damaged, foreign or of no symbol, and skipped.")
                Counter skipped) {
    /** Of several threads together, or of a feed that has not begun. */
    public static final Columns<FeedFigures> COLUMNS = Columns.of(FeedFigures.class);
}
