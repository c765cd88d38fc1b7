package io.tickmark.workloads.feed.session;

/**
 * Figures of a session.
 *
 * @param offered messages of its symbols that the feed made
 * @param sent messages
 * @param merged messages replaced by a later one
 * @param dropped messages thrown away
 * @param waiting messages now
 * @param bytesOnTheWay not acknowledged
 * @param flushes times of its grid at which something was sent
 * @param lateFlushes of these, those that were late by an interval or more, though the client could
 *     take what waited
 * @param heldBack messages that came while the client could take none: its window was closed, or
 *     its connection full
 */
public record SessionFigures(
        long offered,
        long sent,
        long merged,
        long dropped,
        long waiting,
        long bytesOnTheWay,
        long flushes,
        long lateFlushes,
        long heldBack) {

    /** As the members of a JSON object. */
    String json() {
        return ("\"offered\":%d,\"sent\":%d,\"merged\":%d,\"dropped\":%d,\"waiting\":%d,\"bytesOnTheWay\":%d,"
                        + "\"flushes\":%d,\"lateFlushes\":%d,\"heldBack\":%d")
                .formatted(
                        offered,
                        sent,
                        merged,
                        dropped,
                        waiting,
                        bytesOnTheWay,
                        flushes,
                        lateFlushes,
                        heldBack);
    }
}
