package io.tickmark.transport.nulls;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;

/** The binding side's subscription: hears every connecting side in turn. */
final class Returns implements Subscription {
    private final Hub hub;
    private int first;
    private boolean closed;

    Returns(final Hub hub) {
        this.hub = hub;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        final Hub.Connection[] connections = hub.connections();
        int handed = 0;
        first = first + 1 < connections.length ? first + 1 : 0;
        for (int i = 0; i < connections.length && handed < limit && !closed; i++) {
            final Hub.Connection next = connections[(first + i) % connections.length];
            handed += next.back().take(handler, limit - handed);
        }
        return handed;
    }

    @Override
    public boolean isConnected() {
        return hub.connections().length > 0;
    }

    @Override
    public ChannelUri channel() {
        return hub.channel();
    }

    long nextReleaseNs() {
        long earliestNs = Line.NEVER;
        for (final Hub.Connection connection : hub.connections()) {
            earliestNs = Math.min(earliestNs, connection.back().nextReleaseNs());
        }
        return earliestNs;
    }

    @Override
    public void close() {
        closed = true;
    }
}
