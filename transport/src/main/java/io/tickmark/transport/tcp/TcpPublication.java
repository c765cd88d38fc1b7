package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Publication;
import io.tickmark.transport.WirePath;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** Sends to all connections of a side. */
final class TcpPublication implements Publication {
    private static final MessageHandler NOBODY = (buffer, offset, length) -> {};

    private final TcpPeers peers;
    private final boolean alone;

    /** With a subscription beside it, or alone: then it has to look itself who has left. */
    TcpPublication(final TcpPeers peers, final boolean alone) {
        this.peers = peers;
        this.alone = alone;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        return peers.offer(buffer, offset, length);
    }

    @Override
    public int flush() {
        return peers.flush();
    }

    @Override
    public int doWork() {
        if (alone) {
            peers.poll(NOBODY, 1);
        }
        return peers.doWork();
    }

    @Override
    public int subscriberCount() {
        return peers.count();
    }

    @Override
    public ChannelUri channel() {
        return peers.channel();
    }

    @Override
    public Optional<WirePath> wirePath() {
        return peers.wirePath();
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
