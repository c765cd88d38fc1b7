package io.tickmark.transport.udp;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.util.List;
import java.util.Optional;

/**
 * UDP, multicast: {@code mcast://239.1.2.3:port}, {@code mcast://[ff15::1]:port}. Without an
 * interface named nothing leaves this host.
 */
public final class MulticastTransport implements Transport {
    /** Made by the ServiceLoader. */
    public MulticastTransport() {}

    @Override
    public String scheme() {
        return "mcast";
    }

    @Override
    public String summary() {
        return "UDP datagrams to a multicast group, answers by unicast.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return MulticastParameters.class;
    }

    @Override
    public Optional<String> absence() {
        return UdpTransport.notHere();
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        parameters(channel);
        return UdpTransport.traits(MulticastGroup.endpoint(channel).isIpv6());
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        final MulticastParameters parameters = parameters(channel);
        final MulticastGroup group = MulticastGroup.of(channel, parameters);
        final UdpSocket socket = open(group, parameters);
        return UdpTransport.guarded(
                socket,
                () -> {
                    final Endpoint resolved = bindSender(socket, group);
                    socket.connect(resolved, group.scope());
                    return new UdpPublication(
                            socket,
                            Destinations.connected(),
                            channel.withAuthority(resolved.authority()),
                            parameters.tuning().batch(),
                            UdpTransport.maxPayloadBytes(resolved.isIpv6()));
                });
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        final MulticastParameters parameters = parameters(channel);
        final MulticastGroup group = MulticastGroup.of(channel, parameters);
        final UdpSocket socket = open(group, parameters);
        return UdpTransport.guarded(
                socket,
                () -> {
                    group.join(socket);
                    return UdpTransport.subscription(
                            socket,
                            Destinations.connected(),
                            channel.withAuthority(
                                    group.endpoint().withPort(socket.port()).authority()),
                            parameters.tuning());
                });
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        final MulticastParameters parameters = parameters(channel);
        final MulticastGroup group = MulticastGroup.of(channel, parameters);
        if (side == ExchangeSide.CONNECT && group.endpoint().port() == 0) {
            throw Endpoint.wrong(channel, "has no port; write the one the other side sends to");
        }
        final UdpSocket socket = open(group, parameters);
        return UdpTransport.guarded(
                socket,
                () -> {
                    if (side == ExchangeSide.CONNECT) {
                        group.join(socket);
                        return UdpTransport.exchange(
                                socket,
                                Destinations.lastHeard(),
                                channel,
                                parameters.tuning(),
                                group.endpoint().isIpv6());
                    }
                    final Endpoint resolved = bindSender(socket, group);
                    return UdpTransport.exchange(
                            socket,
                            Destinations.fixed(List.of(resolved), group.scope()),
                            channel.withAuthority(resolved.authority()),
                            parameters.tuning(),
                            resolved.isIpv6());
                });
    }

    /**
     * Gives the sender a unicast address. A group port to be chosen becomes the port chosen for
     * that: it is free, and members share theirs anyway.
     */
    private static Endpoint bindSender(final UdpSocket socket, final MulticastGroup group) {
        socket.bind(group.local(), 0);
        group.sendBy(socket);
        final int port = group.endpoint().port();
        return group.endpoint().withPort(port == 0 ? socket.port() : port);
    }

    private static UdpSocket open(
            final MulticastGroup group, final MulticastParameters parameters) {
        return UdpSocket.open(group.channel(), group.endpoint().isIpv6(), parameters.tuning());
    }

    private static MulticastParameters parameters(final ChannelUri channel) {
        return channel.read(MulticastParameters.class);
    }
}
