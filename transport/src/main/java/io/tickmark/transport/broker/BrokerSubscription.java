package io.tickmark.transport.broker;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiving end of a topic: an engine implements how to take the next message, from an {@link
 * Inbox}, or from its client with a {@link PullSubscription}.
 */
public abstract class BrokerSubscription implements Subscription {
    private static final long LONGEST_WAIT_NS = 100_000_000;

    private final BrokerEnd end;
    private final Inbox<?> inbox;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);

    /**
     * Opens it.
     *
     * @param channel with the servers' addresses
     * @param inbox from which {@link #next} takes; messages that it drops are lost; null only for
     *     those that wait in another way
     */
    protected BrokerSubscription(final BrokerChannel<?> channel, final Inbox<?> inbox) {
        end = new BrokerEnd(channel);
        this.inbox = inbox;
    }

    /**
     * Takes the next message, without waiting.
     *
     * @return its payload; null where none has arrived
     */
    protected abstract byte[] next();

    /**
     * How much of what {@link #next} returned is payload.
     *
     * @param message from its first byte on
     * @return all of it by default
     */
    protected int payloadBytes(final byte[] message) {
        return message.length;
    }

    /**
     * Waits for a message, which the next call of {@link #next} takes.
     *
     * @param timeoutNs longest wait, at most 100 ms
     */
    protected void waitForNext(final long timeoutNs) {
        inbox.await(timeoutNs);
    }

    @Override
    public final boolean wakesOnArrival() {
        return true;
    }

    @Override
    public long lost() {
        return inbox == null ? 0 : inbox.dropped();
    }

    /**
     * Whether the servers can be reached.
     *
     * @return by default what the client knows
     */
    protected boolean isServed() {
        return end.isServed();
    }

    /** Releases the engine's part; nothing by default. */
    protected void release() {}

    /** Closes the resources behind this end together with it. */
    final BrokerSubscription by(final ConnectionState its, final AutoCloseable owned) {
        end.by(its, owned);
        return this;
    }

    /**
     * Reports what a client knows of its connection, for an end that has opened that itself.
     *
     * @param its the client
     */
    protected final void by(final ConnectionState its) {
        end.by(its);
    }

    @Override
    public final int poll(final MessageHandler handler, final int limit) {
        int handed = 0;
        while (handed < limit && !end.isClosed()) {
            final byte[] payload = next();
            if (payload == null) {
                break;
            }
            handed++;
            buffer.wrap(payload, 0, payloadBytes(payload));
            handler.onMessage(buffer, 0, buffer.capacity());
        }
        return handed;
    }

    @Override
    public final void await(final long timeoutNs) {
        final long longestNs = Math.min(timeoutNs, LONGEST_WAIT_NS);
        if (end.isClosed() || Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(longestNs);
        } else if (longestNs > 0) {
            waitForNext(longestNs);
        }
    }

    @Override
    public final boolean isConnected() {
        return !end.isClosed() && isServed();
    }

    /** {@return what is known of the channel and of the connection, to which an engine adds} */
    @Override
    public Map<String, Object> facts() {
        return end.facts();
    }

    /**
     * Whether a fact counts events, to which an engine adds its own.
     *
     * @param fact a name in {@link #facts}
     * @return by default what the connection says
     */
    @Override
    public boolean isCount(final String fact) {
        return end.isCount(fact);
    }

    /** {@return what went wrong with the connection, to which an engine adds} */
    @Override
    public Optional<String> engineErrors() {
        return end.errors();
    }

    @Override
    public final ChannelUri channel() {
        return end.channel();
    }

    @Override
    public final void close() {
        end.close(this::release);
    }
}
