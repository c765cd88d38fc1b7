package io.tickmark.workloads.feed.client;

import io.tickmark.workloads.feed.serve.ChannelEncoding;
import io.tickmark.workloads.feed.serve.ChannelSettings;
import java.io.IOException;
import java.nio.channels.Selector;

/** One client, whatever brings its frames. One thread. */
abstract class Client implements Readable {
    final ClientPlan plan;
    final ClientSession session;

    Client(final ClientPlan plan, final ClientSession session) {
        this.plan = plan;
        this.session = session;
    }

    /** A client of that channel, its request sent. */
    static Client connect(
            final ClientPlan plan,
            final ChannelSettings channel,
            final Tally tally,
            final Selector selector)
            throws IOException {
        final ClientSession session = new ClientSession(tally);
        final boolean isText = channel.encoding() == ChannelEncoding.JSON;
        final FrameSink sink = isText ? new JsonMessages(tally)::onFrame : ClientSession::onFrame;
        final FrameCutter cutter =
                isText ? new LineCutter(session, sink) : new RecordCutter(session, sink);
        return switch (channel.transport()) {
            case WEBSOCKET -> new SocketClient(plan, session, sink, selector);
            case EVENTS, STREAM -> new ResponseClient(plan, session, cutter, selector);
            case POLLING -> new PollClient(plan, session, cutter, selector);
        };
    }

    final ClientSession session() {
        return session;
    }

    @Override
    public final void onReadable(final ReadBuffer shared) {
        try {
            if (!read(shared)) {
                broke("the server closed the connection");
            } else if (session.isToAcknowledge(plan)) {
                acknowledge();
            }
        } catch (final IOException e) {
            broke(e.getMessage());
        }
    }

    /** Reads and hands over what is whole; false where the server has closed. */
    abstract boolean read(ReadBuffer shared) throws IOException;

    /** Acknowledges what came, where it can now. */
    abstract void acknowledge();

    /** Asks for the end of the session, with figures. */
    abstract void finish();

    abstract void close();

    /** Called now and then: what came is acknowledged soon in any case. */
    void onTurn(final long nowNs) {
        if (session.isAnythingNew()) {
            acknowledge();
        }
    }

    final void broke(final String reason) {
        session.broke(reason);
        close();
    }
}
