package io.tickmark.transport.broker;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/** The sending end of a topic: an engine implements the sending and the release. */
public abstract class BrokerPublication implements Publication {
    private final BrokerChannel<?> channel;
    private final int maxPayloadBytes;
    private AutoCloseable behind = () -> {};
    private long position;
    private boolean closed;

    /**
     * Opens it.
     *
     * @param channel with the servers' addresses
     * @param maxPayloadBytes largest message
     */
    protected BrokerPublication(final BrokerChannel<?> channel, final int maxPayloadBytes) {
        this.channel = channel;
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
    final BrokerPublication owning(final AutoCloseable owned) {
        behind = owned;
        return this;
    }

    @Override
    public final long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed) {
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

    @Override
    public final ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            release();
            CloseHelper.quietClose(behind);
        }
    }
}
