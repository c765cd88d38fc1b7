package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.time.Pacer;
import java.util.concurrent.atomic.AtomicLong;

/** What one feed thread has done; one writer, any readers. Written once a burst. */
final class FeedCounts {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong backPressured = new AtomicLong();
    private final AtomicLong maxLagNs = new AtomicLong();
    private final AtomicLong maxTightSends = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();

    void sent(final int messages, final Pacer pacer) {
        sent.setRelease(sent.getPlain() + messages);
        maxLagNs.setRelease(pacer.maxLagNs());
        maxTightSends.setRelease(pacer.maxTightSends());
    }

    void backPressured() {
        backPressured.setRelease(backPressured.getPlain() + 1);
    }

    void received(final long lagNs) {
        sent.setRelease(sent.getPlain() + 1);
        if (lagNs > maxLagNs.getPlain()) {
            maxLagNs.setRelease(lagNs);
        }
    }

    void lost(final int messages) {
        lost.setRelease(lost.getPlain() + messages);
    }

    void skipped() {
        skipped.setRelease(skipped.getPlain() + 1);
    }

    FeedFigures figures() {
        return new FeedFigures(
                sent.getAcquire(),
                backPressured.getAcquire(),
                maxLagNs.getAcquire(),
                maxTightSends.getAcquire(),
                lost.getAcquire(),
                skipped.getAcquire());
    }
}
