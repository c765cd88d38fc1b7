package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.time.Pacer;
import java.util.List;

/** Counts of one feed thread; one writer, any readers. Written once a burst. */
final class FeedCounts {
    private final FeedFigures live = FeedFigures.COLUMNS.zero();
    private volatile boolean isToForgetMaxima;

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

    void backPressured() {
        live.backPressured().increment();
    }

    void received(final long behindNs) {
        areMaximaForgotten();
        lag(behindNs);
        if (behindNs > live.maxLagNs().get()) {
            live.maxLagNs().set(behindNs);
        }
        live.sent().increment();
    }

    /** Fewer than before where a message came late. */
    void lost(final long messages) {
        live.lost().add(messages);
    }

    void fromArrival() {
        live.fromArrival().increment();
    }

    void skipped() {
        live.skipped().increment();
    }

    FeedFigures figures() {
        final boolean isStale = isToForgetMaxima; // nothing was sent since
        final FeedFigures now = FeedFigures.COLUMNS.sum(List.of(live));
        if (isStale) {
            now.maxLagNs().set(0);
            now.maxTightSends().set(0);
        }
        return now;
    }
}
