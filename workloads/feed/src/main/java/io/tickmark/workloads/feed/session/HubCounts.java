package io.tickmark.workloads.feed.session;

import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What the sessions of all owner threads have done, those that ended included. */
final class HubCounts {
    /** So many sessions can still be told what they missed when they come back. */
    private static final int REMEMBERED = 1000;

    private final LinkedHashMap<String, SessionFigures> overLimitById = new LinkedHashMap<>();
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

    void ended(final String id, final String reason, final SessionFigures figures) {
        ended.incrementAndGet();
        merged.addAndGet(figures.merged());
        dropped.addAndGet(figures.dropped());
        if (reason.equals(Session.LIMIT)) {
            overLimit.incrementAndGet();
            remember(id, figures);
        }
    }

    private synchronized void remember(final String id, final SessionFigures figures) {
        if (overLimitById.size() == REMEMBERED) {
            overLimitById.pollFirstEntry();
        }
        overLimitById.put(id, figures);
    }

    /** How a session ended that reached its limit, one of the last; null where it is none. */
    synchronized SessionFigures overLimit(final String id) {
        return overLimitById.get(id);
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
