package io.tickmark.workloads.feed.client;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;

/** A client on a response that does not end: events, or a stream of bytes. */
final class ResponseClient extends Client {
    /** A post costs far more than a few bytes on a socket. */
    private static final long ACKNOWLEDGE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Responses responses;
    private final Posts posts;
    private long nextAcknowledgeNs;

    ResponseClient(
            final ClientPlan plan,
            final ClientSession session,
            final FrameCutter cutter,
            final Selector selector)
            throws IOException {
        super(plan, session);
        responses = new Responses(plan, selector, this, cutter);
        responses.get(plan.path());
        posts = new Posts(this, selector);
    }

    @Override
    boolean read(final ReadBuffer shared) throws IOException {
        return responses.read(shared);
    }

    @Override
    void onTurn(final long nowNs) {
        if (nowNs - nextAcknowledgeNs >= 0) {
            nextAcknowledgeNs = nowNs + ACKNOWLEDGE_NS;
            super.onTurn(nowNs);
        }
    }

    @Override
    void acknowledge() {
        if (posts.isFree()) {
            posts.post(
                    "/feed/ack?session=%s&frame=%d&ordinal=%d"
                            .formatted(session.id(), session.lastFrame(), session.lastOrdinal()));
            session.acknowledged();
        }
    }

    @Override
    void finish() {
        posts.post("/feed/finish?session=" + session.id());
    }

    @Override
    void close() {
        responses.close();
        posts.close();
    }
}
