package io.tickmark.workloads.feed.session;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts of the sessions of all owner threads, including ended ones. */
final class SessionHubCounts {
    /** This many sessions can still be informed what they missed when they reconnect. */
    private static final int REMEMBERED = 1000;

    private final LinkedHashMap<String, SessionFigures> overLimitById = new LinkedHashMap<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLongArray endedBy = new AtomicLongArray(Ending.Kind.values().length);
    private final AtomicLong unnotified = new AtomicLong();
    private final AtomicLong clockUnanswered = new AtomicLong();
    private final AtomicLong flushes = new AtomicLong();
    private final AtomicLong missedFlushes = new AtomicLong();
    private final AtomicLong merged = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    void sent(final long messages) {
        sent.addAndGet(messages);
    }

    void opened() {
        opened.incrementAndGet();
    }

    void ended(final String id, final Ending.Kind kind, final SessionFigures figures) {
        ended.incrementAndGet();
        merged.addAndGet(figures.merged());
        dropped.addAndGet(figures.dropped());
        endedBy.incrementAndGet(kind.ordinal());
        if (kind == Ending.Kind.LIMIT) {
            remember(id, figures);
        }
    }

    private synchronized void remember(final String id, final SessionFigures figures) {
        if (overLimitById.size() == REMEMBERED) {
            overLimitById.pollFirstEntry();
        }
        overLimitById.put(id, figures);
    }

    /**
     * How one of the last sessions that reached their limit ended; null where it is not one of
     * them.
     */
    synchronized SessionFigures overLimit(final String id) {
        return overLimitById.get(id);
    }

    /** A client could not be notified of its refusal, or of its session's end: it was gone. */
    void unnotified() {
        unnotified.incrementAndGet();
    }

    /** A client did not take the answer to its question for the time. */
    void clockUnanswered() {
        clockUnanswered.incrementAndGet();
    }

    void flushed(final long times, final long missed) {
        flushes.addAndGet(times);
        missedFlushes.addAndGet(missed);
    }

    HubFigures figures() {
        final Map<Ending.Kind, Long> byKind = new EnumMap<>(Ending.Kind.class);
        for (final Ending.Kind kind : Ending.Kind.values()) {
            final long count = endedBy.get(kind.ordinal());
            if (count > 0) {
                byKind.put(kind, count);
            }
        }
        return new HubFigures(
                opened.get() - ended.get(),
                opened.get(),
                endedBy.get(Ending.Kind.LIMIT.ordinal()),
                sent.get(),
                merged.get(),
                dropped.get(),
                flushes.get(),
                missedFlushes.get(),
                unnotified.get(),
                clockUnanswered.get(),
                byKind);
    }
}
