package io.tickmark.engines.aeron.cluster;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/**
 * Sends the messages of one topic to a cluster's leader, which acknowledges each once most members
 * have it. Single-threaded; allocates nothing in {@code offer}.
 */
final class ClusterPublication implements DurablePublication {
    private final ChannelUri channel;
    private final ClusterParameters parameters;
    private final ClusterSession session;
    private long next;
    private boolean isClosed;

    private ClusterPublication(
            final ChannelUri channel,
            final ClusterParameters parameters,
            final ClusterSession session) {
        this.channel = channel;
        this.parameters = parameters;
        this.session = session;
        next = session.last() + 1;
    }

    static ClusterPublication open(
            final ChannelUri channel, final ClusterFiles files, final Topic topic) {
        return new ClusterPublication(
                channel,
                files.parameters(),
                ClusterSession.open(
                        channel,
                        files,
                        topic,
                        ClusterFrames.ASK,
                        (ordinal, buffer, offset, length) -> Action.CONTINUE));
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (isClosed) {
            return CLOSED;
        }
        if (length > parameters.longestMessageBytes()) {
            return TOO_LONG;
        }
        if (session.isLost()) {
            return NOT_CONNECTED;
        }
        final long code = session.offer(next, buffer, offset, length);
        if (code < 0) {
            session.poll();
            return session.isLost() ? NOT_CONNECTED : code;
        }
        return next++;
    }

    @Override
    public long nextOrdinal() {
        return next;
    }

    @Override
    public long stablePosition() {
        session.poll();
        return Math.min(session.last(), next - 1);
    }

    @Override
    public boolean isLost() {
        return session.isLost();
    }

    @Override
    public int doWork() {
        return session.poll();
    }

    @Override
    public String trouble() {
        return session.trouble();
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return channel;
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(parameters.member().facts());
        facts.put("leader", session.leader());
        return facts;
    }

    @Override
    public void close() {
        isClosed = true;
        session.close();
    }
}
