package io.tickmark.workloads.feed.session;

import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.conflate.KeptMemory;
import io.tickmark.workloads.feed.conflate.QueueContext;
import io.tickmark.workloads.feed.tick.LastValues;
import io.tickmark.workloads.feed.tick.Tick;
import java.nio.ByteBuffer;
import java.util.Map;

/** Sessions of one symbol whose client accepts everything, on the test's clock. */
final class TakenSession {
    private TakenSession() {}

    static class Taker implements Outlet {
        @Override
        public void write(final ByteBuffer bytes) {
            bytes.position(bytes.limit());
        }

        @Override
        public void close() {
            // nothing to close
        }
    }

    static Session connected(
            final String name, final String conflation, final Map<String, Object> wishes) {
        return connected(name, conflation, wishes, new Taker());
    }

    static Session connected(
            final String name,
            final String conflation,
            final Map<String, Object> wishes,
            final Outlet outlet) {
        final SessionSettings settings = RunningServer.session(wishes);
        final QueueContext context =
                new QueueContext(
                        0,
                        1,
                        0,
                        100_000,
                        Tick.LENGTH,
                        new LastValues(1, Tick.LENGTH),
                        new KeptMemory(1_000_000).share());
        final Session session =
                new Session(
                        name,
                        settings,
                        context,
                        new ConflationPolicies().find(conflation).queue(context));
        session.connect(
                new SessionConnection(
                        outlet,
                        new BinaryFrame(FeedFraming.WEB_SOCKET_BINARY, Tick.LENGTH),
                        settings,
                        new Scratch(0)),
                0);
        return session;
    }
}
