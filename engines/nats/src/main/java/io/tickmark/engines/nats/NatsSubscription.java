package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.Message;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/** Subscribes to a subject; polls the queue that the client's reading thread fills. */
final class NatsSubscription implements Subscription {
    private static final Duration FLUSH = Duration.ofSeconds(5);
    private static final long LONGEST_WAIT_NS = 100_000_000;

    private final NatsChannel channel;
    private final Connection connection;
    private final io.nats.client.Subscription subscription;
    private final AutoCloseable owned;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private Message ahead;
    private boolean closed;

    /** Subscribes, and closes {@code owned} with itself. */
    NatsSubscription(
            final NatsChannel channel,
            final Connection connection,
            final String subject,
            final AutoCloseable owned) {
        this.channel = channel;
        this.connection = connection;
        this.owned = owned;
        subscription = connection.subscribe(subject);
        subscription.setPendingLimits(-1, channel.client().receivePendingBytes());
        // What is published from now on comes here: the server has read the subscription.
        Connections.flush(connection, FLUSH);
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        int handed = 0;
        while (handed < limit && !closed) {
            final Message message = ahead == null ? next(null) : ahead;
            if (message == null) {
                break;
            }
            ahead = null;
            handed++;
            buffer.wrap(message.getData());
            handler.onMessage(buffer, 0, buffer.capacity());
        }
        return handed;
    }

    private Message next(final Duration timeout) {
        try {
            return subscription.nextMessage(timeout);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (final IllegalStateException e) {
            return null; // the connection was closed
        }
    }

    @Override
    public void await(final long timeoutNs) {
        final long longestNs = Math.min(timeoutNs, LONGEST_WAIT_NS);
        if (closed || Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(longestNs);
        } else if (ahead == null && longestNs > 0) {
            ahead = next(Duration.ofNanos(longestNs));
        }
    }

    @Override
    public boolean isConnected() {
        return !closed && Connections.isConnected(connection);
    }

    @Override
    public long lost() {
        return subscription.getDroppedCount();
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new TreeMap<>(NatsFacts.of(channel, connection));
        facts.put("droppedByClient", subscription.getDroppedCount());
        return facts;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            CloseHelper.quietClose(owned);
        }
    }
}
