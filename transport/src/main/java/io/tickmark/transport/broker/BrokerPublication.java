package io.tickmark.transport.broker;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.Publication;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** The sending end of a topic: an engine implements the sending and the release. */
public abstract class BrokerPublication implements Publication {
    private final BrokerEnd end;
    private final int maxPayloadBytes;
    private long position;

    /**
     * Opens it.
     *
     * @param channel with the servers' addresses
     * @param maxPayloadBytes largest message
     */
    protected BrokerPublication(final BrokerChannel<?> channel, final int maxPayloadBytes) {
        end = new BrokerEnd(channel);
        this.maxPayloadBytes = maxPayloadBytes;
    }

    /**
     * Sends a message, copying it.
     *
     * @param buffer that holds the message
     * @param offset of the message
     * @param length of the message, which is within the limits
     * @return 0, or a negative code of {@link Publication}
     */
    protected abstract long send(DirectBuffer buffer, int offset, int length);

    /**
     * Whether the connection is open.
     *
     * @return by default what the client knows
     */
    protected boolean isServed() {
        return end.isServed();
    }

    /**
     * Copies a message, for a client that keeps it.
     *
     * @param buffer that holds the message
     * @param offset of the message
     * @param length of the message
     * @return the copy
     */
    protected static byte[] copy(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        return copy;
    }

    /**
     * Sends what waits if that takes no longer than a few seconds, and releases the engine's part.
     */
    protected abstract void release();

    /** Closes the resources behind this end together with it. */
    final BrokerPublication by(final ConnectionState its, final AutoCloseable owned) {
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
    public final long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (end.isClosed()) {
            return CLOSED;
        }
        if (length > maxPayloadBytes) {
            return TOO_LONG;
        }
        final long code = send(buffer, offset, length);
        return code < 0 ? code : taken();
    }

    /**
     * Position of the message that was just sent.
     *
     * @return by default how many were sent; of a stored one its ordinal
     */
    protected long taken() {
        return ++position;
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
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

    /** First that a server has ended, which is why the rest went wrong. */
    @Override
    public final Optional<String> engineErrors() {
        return EngineErrors.together(end.ended(), errors());
    }

    /** {@return what went wrong with the connection, to which an engine adds} */
    protected Optional<String> errors() {
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
