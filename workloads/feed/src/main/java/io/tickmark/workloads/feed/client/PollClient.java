package io.tickmark.workloads.feed.client;

import java.io.IOException;
import java.nio.channels.Selector;

/** A client that asks again and again: each request acknowledges what the last one brought. */
final class PollClient extends Client {
    private final Responses responses;
    private final Posts posts;
    private final String path;
    private long asked;

    PollClient(
            final ClientPlan plan,
            final ClientSession session,
            final FrameCutter cutter,
            final Selector selector)
            throws IOException {
        super(plan, session);
        path = plan.path().substring(0, plan.path().indexOf('?'));
        responses = new Responses(plan, selector, this, cutter);
        ask(plan.path());
        posts = new Posts(this, selector);
    }

    private void ask(final String next) throws IOException {
        responses.get(next);
        asked++;
    }

    @Override
    boolean read(final ReadBuffer shared) throws IOException {
        final boolean isOpen = responses.read(shared);
        if (isOpen && responses.whole() == asked && !session.isOver()) {
            session.acknowledged();
            ask(
                    "%s?session=%s&frame=%d&ordinal=%d"
                            .formatted(
                                    path,
                                    session.id(),
                                    session.lastFrame(),
                                    session.lastOrdinal()));
        }
        return isOpen;
    }

    @Override
    void acknowledge() {
        // the next request does
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
