package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.time.Pacer;
import java.util.List;

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

    /** Figures of one feed thread as it writes them; any readers. Written once a burst. */
    static final class FeedCounts {
        private final FeedFigures live = COLUMNS.zero();
        private volatile boolean isToForgetMaxima;

        /** What the writer counts one by one. */
        FeedFigures live() {
            return live;
        }

        /** The maxima first: who sees the messages counted sees the maxima that they made. */
        void sent(final int messages, final Pacer pacer) {
            live.maxLagNs().set(pacer.maxLagNs());
            live.maxTightSends().set(pacer.maxTightSends());
            live.sent().add(messages);
        }

        /** The lag of the next message. */
        void lag(final long ns) {
            if (ns != live.lagNs().get()) {
                live.lagNs().set(ns);
            }
        }

        /** Resets the maxima; any thread. */
        void forgetMaxima() {
            isToForgetMaxima = true;
        }

        /** Whether the writer has to reset its own maxima; those here are then reset. */
        boolean areMaximaForgotten() {
            if (!isToForgetMaxima) {
                return false;
            }
            live.maxLagNs().set(0);
            live.maxTightSends().set(0);
            isToForgetMaxima = false;
            return true;
        }

        void received(final long behindNs) {
            areMaximaForgotten();
            lag(behindNs);
            if (behindNs > live.maxLagNs().get()) {
                live.maxLagNs().set(behindNs);
            }
            live.sent().increment();
        }

        FeedFigures figures() {
            final boolean isStale = isToForgetMaxima; // nothing was sent since
            final FeedFigures now = COLUMNS.sum(List.of(live));
            if (isStale) {
                now.maxLagNs().set(0);
                now.maxTightSends().set(0);
            }
            return now;
        }
    }
}
