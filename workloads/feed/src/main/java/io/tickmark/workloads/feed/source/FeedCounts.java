package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.time.Pacer;
import java.util.concurrent.atomic.AtomicLong;

/** What one feed thread has done; one writer, any readers. Written once a burst. */
final class FeedCounts {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong backPressured = new AtomicLong();
    private final AtomicLong maxLagNs = new AtomicLong();
    private final AtomicLong maxTightSends = new AtomicLong();

    void sent(final int messages, final Pacer pacer) {
        sent.setRelease(sent.getPlain() + messages);
        maxLagNs.setRelease(pacer.maxLagNs());
        maxTightSends.setRelease(pacer.maxTightSends());
    }

    void backPressured() {
        backPressured.setRelease(backPressured.getPlain() + 1);
    }

    FeedFigures figures() {
        return new FeedFigures(
                sent.getAcquire(),
                backPressured.getAcquire(),
                maxLagNs.getAcquire(),
                maxTightSends.getAcquire());
    }
}
