package io.tickmark.workloads.feed.session;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Figures of all sessions: a copy of what {@link SessionHubCounts} has counted, which no longer
 * changes.
 *
 * @param counts since the server started
 * @param ended sessions, by how
 */
public record HubFigures(SessionCounts counts, Map<Ending.Kind, Long> ended) {
    /** Copies both, and adds to the counts those that are of ends. */
    public HubFigures {
        ended = Map.copyOf(ended);
        counts = SessionCounts.COLUMNS.sum(List.of(counts));
        counts.overLimit().set(ended.getOrDefault(Ending.Kind.LIMIT, 0L));
        counts.endedIrregularly().set(ended(ended, false));
        counts.failed().set(ended.getOrDefault(Ending.Kind.FAILED, 0L));
    }

    private static long ended(final Map<Ending.Kind, Long> ended, final boolean isRegular) {
        return ended.entrySet().stream()
                .filter(entry -> entry.getKey().isRegular() == isRegular)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /**
     * The counts of sessions, and where they are shown.
     *
     * @param opened ever
     * @param sent messages, those of a moment ago perhaps not counted in yet
     * @param merged messages replaced by a later one, of sessions that ended
     * @param dropped messages thrown away, of sessions that ended
     * @param overLimit sessions that were ended because too much waited for them
     * @param flushes flushes of sessions with an interval; in a result, of the measured time
     * @param lateFlushes of these, those that were late by an interval or more, though the client
     *     could take what waited; a warning only where they are more than 1 %, and more than two
     * @param unnotified clients that could not be notified of the end of their session
     * @param clockUnanswered clients that did not take an answer with the time
     * @param endedIrregularly sessions that ended unexpectedly
     * @param failed of these, those that failed in the server
     * @param notSent messages that still waited for sessions that ended unexpectedly
     */
    public record SessionCounts(
            @Column Counter opened,
            @Column Counter sent,
            @Column(metric = "merged") Counter merged,
            @Column(metric = "dropped") Counter dropped,
            @Column(metric = "overLimit") Counter overLimit,
            @Column(metric = "flushes") Counter flushes,
            @Column(metric = "lateFlushes", warning = FlushInterval.NOT_HELD) Counter lateFlushes,
            @Column(
                            metric = "unnotified",
                            warning =
                                    "%d client{ was|s were} gone, or took nothing, when {it|they} should have been told that the"
                                            + " feed had ended.")
                    Counter unnotified,
            @Column(
                            metric = "clockUnanswered",
                            warning =
                                    "%d client{|s} did not read {its|their} replies with the time: how well"
                                            + " {its clock agrees|those clients' clocks agree} is unknown.")
                    Counter clockUnanswered,
            @Column(metric = "endedIrregularly", warning = "%d session{|s} ended unexpectedly: %s.")
                    Counter endedIrregularly,
            @Column(failure = "%d session{|s} failed in the server.") Counter failed,
            @Column(
                            metric = "notSent",
                            warning =
                                    "%d message{ was|s were} never sent, because the sessions for which"
                                            + " {it was|they were} waiting ended unexpectedly.")
                    Counter notSent) {
        /** How they are added up and shown. */
        public static final Columns<SessionCounts> COLUMNS = Columns.of(SessionCounts.class);
    }

    /**
     * Sessions that are open.
     *
     * @return how many
     */
    public long sessions() {
        return counts.opened().get() - ended.values().stream().mapToLong(Long::longValue).sum();
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
        return ended(ended, true);
    }

    /** Counts of the sessions of all owner threads, including ended ones; any thread. */
    static final class SessionHubCounts {
        /** This many sessions can still be informed what they missed when they reconnect. */
        private static final int REMEMBERED = 1000;

        private final LinkedHashMap<String, SessionFigures> overLimitById = new LinkedHashMap<>();
        private final SessionCounts live = SessionCounts.COLUMNS.zero();
        private final AtomicLongArray endedBy = new AtomicLongArray(Ending.Kind.values().length);

        /** What is counted one by one, to be added to as {@link Counter#addShared} does. */
        SessionCounts live() {
            return live;
        }

        void ended(final String id, final Ending.Kind kind, final SessionFigures figures) {
            live.merged().addShared(figures.merged());
            live.dropped().addShared(figures.dropped());
            if (!kind.isRegular()) {
                live.notSent().addShared(figures.waiting());
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

        HubFigures figures() {
            final Map<Ending.Kind, Long> byKind = new EnumMap<>(Ending.Kind.class);
            for (final Ending.Kind kind : Ending.Kind.values()) {
                final long count = endedBy.get(kind.ordinal());
                if (count > 0) {
                    byKind.put(kind, count);
                }
            }
            return new HubFigures(live, byKind); // after the ends: of none its opening is missing
        }
    }
}
