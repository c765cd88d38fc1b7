package io.tickmark.workloads.feed.session;

/**
 * What all sessions have done.
 *
 * @param sessions open now
 * @param opened ever
 * @param overLimit ended because too much waited for them
 * @param sent messages, those of a moment ago perhaps not counted in yet
 * @param merged messages of sessions that ended
 * @param dropped messages of sessions that ended
 */
public record HubFigures(
        long sessions, long opened, long overLimit, long sent, long merged, long dropped) {}
