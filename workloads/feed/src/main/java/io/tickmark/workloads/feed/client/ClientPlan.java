package io.tickmark.workloads.feed.client;

import io.tickmark.workloads.feed.session.SessionSettings;

/**
 * What each client does.
 *
 * @param server to connect to
 * @param path of the channel, with its query
 * @param session what it asks for: it acknowledges within that window
 */
record ClientPlan(ServerAddress server, String path, SessionSettings session) {
    private static final int PARTS = 4;

    /** Frames after which it acknowledges. */
    int framesPerAcknowledgement() {
        return Math.max(1, session.windowFrames() / PARTS);
    }

    /** Bytes after which it acknowledges. */
    int bytesPerAcknowledgement() {
        return Math.max(1, session.windowBytes() / PARTS);
    }
}
