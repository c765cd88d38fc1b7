package io.tickmark.transport.tcp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * {@code tcp://host:port}: the publication (BIND) listens, on loopback where no host is given, up
 * to 64 subscriptions (CONNECT) connect and try again until the listener is there. A message goes
 * to all connections or is refused: one slow consumer holds all back. Messages are framed by their
 * length, 4 bytes little-endian, so that a plain byte echo (RFC 862) can be the other end.
 */
public final class TcpTransport implements Transport {
    private final NanoClock clock = SystemNanoClock.INSTANCE;

    /** For the ServiceLoader. */
    public TcpTransport() {}

    @Override
    public String scheme() {
        return "tcp";
    }

    @Override
    public String summary() {
        return "TCP sockets with length-framed messages; the publisher listens.";
    }

    @Override
    public Class<TcpParameters> parameters() {
        return TcpParameters.class;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        read(channel);
        HostPort.of(channel);
        return new TransportTraits(
                true, true, true, true, true, false, false, TcpConnection.MAX_PAYLOAD_BYTES);
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return new TcpPublication(listener(channel), true);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return new TcpSubscription(dialer(channel));
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        final TcpPeers peers = side == ExchangeSide.BIND ? listener(channel) : dialer(channel);
        return new TcpExchange(
                new TcpPublication(peers, false), new TcpSubscription(peers), peers.channel());
    }

    private TcpPeers listener(final ChannelUri channel) {
        return TcpListener.open(channel, read(channel), clock);
    }

    private TcpPeers dialer(final ChannelUri channel) {
        return new TcpDialer(channel, read(channel), clock);
    }

    private static TcpParameters read(final ChannelUri channel) {
        return channel.read(TcpParameters.class);
    }

    private record TcpExchange(
            Publication publication, Subscription subscription, ChannelUri channel)
            implements Exchange {
        @Override
        public void close() {
            publication.close();
            subscription.close();
        }
    }
}
