package io.tickmark.workloads.feed.session;

import java.util.Map;

/**
 * Figures of all sessions.
 *
 * @param sessions open now
 * @param opened ever
 * @param overLimit ended because too much waited for them
 * @param sent messages, those of a moment ago perhaps not counted in yet
 * @param merged messages of sessions that ended
 * @param dropped messages of sessions that ended
 * @param flushes of sessions with an interval, those of a moment ago perhaps not counted in yet
 * @param missedFlushes times of their grids at which something waited, the client could take it,
 *     and it was not sent before the next
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
        long flushes,
        long missedFlushes,
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
}
