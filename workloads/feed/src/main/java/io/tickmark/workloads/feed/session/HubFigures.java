package io.tickmark.workloads.feed.session;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Figures of all sessions, as {@link SessionHubCounts} has counted them.
 *
 * @param sessions open now
 * @param opened ever
 * @param overLimit ended because too much waited for them
 * @param sent messages, those of a moment ago perhaps not counted in yet
 * @param merged messages of sessions that ended
 * @param dropped messages of sessions that ended
 * @param notSent messages that still waited for sessions that ended unexpectedly
 * @param flushes of sessions with an interval, those of a moment ago perhaps not counted in yet
 * @param lateFlushes of these, those that were late by an interval or more, though the client could
 *     take what waited
 * @param unnotified clients that could not be notified of the end of their session, as they were
 *     gone
 * @param clockUnanswered clients that did not take an answer with the time
 * @param ended sessions, by how
 */
public record HubFigures(
        long sessions,
        long opened,
        long overLimit,
        long sent,
        long merged,
        long dropped,
        long notSent,
        long flushes,
        long lateFlushes,
        long unnotified,
        long clockUnanswered,
        Map<Ending.Kind, Long> ended) {
    /** Keeps the counts as they are. */
    public HubFigures {
        ended = Map.copyOf(ended);
    }

    /**
     * Sessions that ended in a way.
     *
     * @param kind of end
     * @return how many
     */
    public long ended(final Ending.Kind kind) {
        return ended.getOrDefault(kind, 0L);
    }

    /**
     * Sessions that ended as they should.
     *
     * @return how many
     */
    public long endedRegularly() {
        return ended.entrySet().stream()
                .filter(entry -> entry.getKey().isRegular())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Counts of the sessions of all owner threads, including ended ones. */
    static final class SessionHubCounts {
        /** This many sessions can still be informed what they missed when they reconnect. */
        private static final int REMEMBERED = 1000;

        private final LinkedHashMap<String, SessionFigures> overLimitById = new LinkedHashMap<>();
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong opened = new AtomicLong();
        private final AtomicLongArray endedBy = new AtomicLongArray(Ending.Kind.values().length);
        private final AtomicLong unnotified = new AtomicLong();
        private final AtomicLong clockUnanswered = new AtomicLong();
        private final AtomicLong flushes = new AtomicLong();
        private final AtomicLong lateFlushes = new AtomicLong();
        private final AtomicLong merged = new AtomicLong();
        private final AtomicLong dropped = new AtomicLong();
        private final AtomicLong notSent = new AtomicLong();

        void sent(final long messages) {
            sent.addAndGet(messages);
        }

        void opened() {
            opened.incrementAndGet();
        }

        void ended(final String id, final Ending.Kind kind, final SessionFigures figures) {
            merged.addAndGet(figures.merged());
            dropped.addAndGet(figures.dropped());
            if (!kind.isRegular()) {
                notSent.addAndGet(figures.waiting());
            }
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

        /** A client did not take the answer to its request for the time. */
        void clockUnanswered() {
            clockUnanswered.incrementAndGet();
        }

        void flushed(final long times, final long late) {
            flushes.addAndGet(times);
            lateFlushes.addAndGet(late);
        }

        HubFigures figures() {
            final Map<Ending.Kind, Long> byKind = new EnumMap<>(Ending.Kind.class);
            for (final Ending.Kind kind : Ending.Kind.values()) {
                final long count = endedBy.get(kind.ordinal());
                if (count > 0) {
                    byKind.put(kind, count);
                }
            }
            final long everOpened = opened.get(); // after the ends, so that none is missing
            return new HubFigures(
                    everOpened - byKind.values().stream().mapToLong(Long::longValue).sum(),
                    everOpened,
                    byKind.getOrDefault(Ending.Kind.LIMIT, 0L),
                    sent.get(),
                    merged.get(),
                    dropped.get(),
                    notSent.get(),
                    flushes.get(),
                    lateFlushes.get(),
                    unnotified.get(),
                    clockUnanswered.get(),
                    byKind);
        }
    }
}
