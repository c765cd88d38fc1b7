package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.util.Map;

/** Hears all connections of a side. */
final class TcpSubscription implements Subscription {
    private final TcpPeers peers;

    TcpSubscription(final TcpPeers peers) {
        this.peers = peers;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        return peers.poll(handler, limit);
    }

    @Override
    public void await(final long timeoutNs) {
        peers.await(timeoutNs);
    }

    @Override
    public boolean isConnected() {
        return peers.count() > 0;
    }

    @Override
    public ChannelUri channel() {
        return peers.channel();
    }

    @Override
    public Map<String, Object> facts() {
        return peers.facts();
    }

    @Override
    public void close() {
        peers.close();
    }
}
