package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.time.Pacer;
import java.util.concurrent.atomic.AtomicLong;

/** Counts of one feed thread; one writer, any readers. Written once a burst. */
final class FeedCounts {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong backPressured = new AtomicLong();
    private final AtomicLong lagNs = new AtomicLong();
    private final AtomicLong maxLagNs = new AtomicLong();
    private final AtomicLong maxTightSends = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private volatile boolean isToForgetMaxima;

    void sent(final int messages, final Pacer pacer) {
        sent.setRelease(sent.getPlain() + messages);
        maxLagNs.setRelease(pacer.maxLagNs());
        maxTightSends.setRelease(pacer.maxTightSends());
    }

    /** The lag of the next message. */
    void lag(final long ns) {
        if (ns != lagNs.getPlain()) {
            lagNs.setRelease(ns);
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
        maxLagNs.setRelease(0);
        maxTightSends.setRelease(0);
        isToForgetMaxima = false;
        return true;
    }

    void backPressured() {
        backPressured.setRelease(backPressured.getPlain() + 1);
    }

    void received(final long behindNs) {
        areMaximaForgotten();
        sent.setRelease(sent.getPlain() + 1);
        lag(behindNs);
        if (behindNs > maxLagNs.getPlain()) {
            maxLagNs.setRelease(behindNs);
        }
    }

    void lost(final int messages) {
        lost.setRelease(lost.getPlain() + messages);
    }

    void skipped() {
        skipped.setRelease(skipped.getPlain() + 1);
    }

    FeedFigures figures() {
        final boolean isStale = isToForgetMaxima; // nothing was sent since
        return new FeedFigures(
                sent.getAcquire(),
                backPressured.getAcquire(),
                lagNs.getAcquire(),
                isStale ? 0 : maxLagNs.getAcquire(),
                isStale ? 0 : maxTightSends.getAcquire(),
                lost.getAcquire(),
                skipped.getAcquire());
    }
}
