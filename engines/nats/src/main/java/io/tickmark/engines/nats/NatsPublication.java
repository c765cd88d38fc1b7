package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Publishes to a subject. The client's own thread writes what it finds in its queue; how full that
 * may be is what pushes back.
 */
final class NatsPublication implements Publication {
    private static final Duration FLUSH = Duration.ofSeconds(2);

    /** Asking how full the queue is takes two locks, so it is not done for every message. */
    private static final int LOOK_EVERY = 16;

    private final NatsChannel channel;
    private final Connection connection;
    private final String subject;
    private final AutoCloseable owned;
    private final int maxPayloadBytes;
    private final long pendingLimit;
    private long position;
    private int untilLook;
    private boolean closed;

    /** Closes {@code owned} with itself. */
    NatsPublication(
            final NatsChannel channel,
            final Connection connection,
            final String subject,
            final AutoCloseable owned) {
        this.channel = channel;
        this.connection = connection;
        this.subject = subject;
        this.owned = owned;
        maxPayloadBytes = channel.client().maxPayloadBytes();
        pendingLimit = channel.client().sendPendingBytes();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed) {
            return CLOSED;
        }
        if (length > maxPayloadBytes) {
            return TOO_LONG;
        }
        if (!Connections.isConnected(connection)) {
            return NOT_CONNECTED;
        }
        if (--untilLook < 0) {
            if (connection.outgoingPendingBytes() >= pendingLimit) {
                return BACK_PRESSURED;
            }
            untilLook = length > pendingLimit / LOOK_EVERY ? 0 : LOOK_EVERY;
        }
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        try {
            connection.publish(subject, copy);
        } catch (final IllegalStateException e) {
            return NOT_CONNECTED; // it ended between the look and the call
        }
        return ++position;
    }

    /** The servers know who listens, and do not tell. */
    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public Map<String, Object> facts() {
        return new TreeMap<>(NatsFacts.of(channel, connection));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Connections.flush(connection, FLUSH);
            CloseHelper.quietClose(owned);
        }
    }
}
