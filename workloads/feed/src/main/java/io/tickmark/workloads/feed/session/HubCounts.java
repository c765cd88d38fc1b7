package io.tickmark.workloads.feed.session;

import java.util.concurrent.atomic.AtomicLong;

/** What the sessions of all owner threads have done, those that ended included. */
final class HubCounts {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong overLimit = new AtomicLong();
    private final AtomicLong merged = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    void sent(final long messages) {
        sent.addAndGet(messages);
    }

    void opened() {
        opened.incrementAndGet();
    }

    void ended(final String reason, final SessionFigures figures) {
        ended.incrementAndGet();
        merged.addAndGet(figures.merged());
        dropped.addAndGet(figures.dropped());
        if (reason.equals("limit")) {
            overLimit.incrementAndGet();
        }
    }

    HubFigures figures() {
        return new HubFigures(
                opened.get() - ended.get(),
                opened.get(),
                overLimit.get(),
                sent.get(),
                merged.get(),
                dropped.get());
    }
}
