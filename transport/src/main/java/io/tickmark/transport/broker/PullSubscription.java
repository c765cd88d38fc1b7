package io.tickmark.transport.broker;

/**
 * The receiving end of an engine whose client is asked for messages, and may wait for one: which is
 * then handed over by the next poll.
 *
 * @param <M> a message as the client returns it
 */
public abstract class PullSubscription<M> extends BrokerSubscription {
    private M ahead;

    /**
     * Opens it.
     *
     * @param channel with the servers' addresses
     */
    protected PullSubscription(final BrokerChannel<?> channel) {
        super(channel, null);
    }

    /**
     * Asks the client for the next message.
     *
     * @param timeoutNs longest wait; 0 to take only what has arrived
     * @return null where none has arrived
     */
    protected abstract M fetch(long timeoutNs);

    /**
     * Hands a message over.
     *
     * @param message that was fetched
     * @return its payload; null to leave it out
     */
    protected abstract byte[] payload(M message);

    /**
     * The next message, whether it was fetched before or not.
     *
     * @param timeoutNs longest wait; 0 to take only what has arrived
     * @return null where none has arrived
     */
    protected final M take(final long timeoutNs) {
        final M message = ahead == null ? fetch(timeoutNs) : ahead;
        ahead = null;
        return message;
    }

    @Override
    protected final byte[] next() {
        M message = take(0);
        while (message != null) {
            final byte[] payload = payload(message);
            if (payload != null) {
                return payload;
            }
            message = take(0);
        }
        return null;
    }

    @Override
    protected final void waitForNext(final long timeoutNs) {
        if (ahead == null) {
            ahead = fetch(timeoutNs);
        }
    }
}
