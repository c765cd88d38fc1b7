package io.tickmark.transport.udp;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.PlainMessages;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * UDP, unicast: {@code udp://host:port}, {@code udp://[::1]:port}, for publications also several
 * addresses separated by commas. A BIND side at a wildcard address ({@code 0.0.0.0}) answers from
 * the address that the system selects; on a host with several addresses, bind the one that peers
 * send to.
 */
public final class UdpTransport implements Transport {
    /** Largest payload of a datagram: 65535 less the headers of IP and UDP (RFC 768, RFC 791). */
    static final int MAX_IPV4_PAYLOAD_BYTES = 65_507;

    /** The same under the longer header of IPv6 (RFC 8200), so that it still fits 65535. */
    static final int MAX_IPV6_PAYLOAD_BYTES = 65_487;

    /** Made by the ServiceLoader. */
    public UdpTransport() {}

    @Override
    public String scheme() {
        return "udp";
    }

    @Override
    public String summary() {
        return "UDP datagrams to one or several addresses, on request in kernel batches.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return Parameters.class;
    }

    @Override
    public Optional<String> absence() {
        return notHere();
    }

    static Optional<String> notHere() {
        return Libc.isAvailable()
                ? Optional.empty()
                : Optional.of(
                        "Linux's socket calls are not available: " + Libc.whyNotAvailable() + ".");
    }

    static TransportTraits traits(final boolean ipv6) {
        return TransportTraits.upTo(maxPayloadBytes(ipv6))
                .ordered(true)
                .fansOut(true)
                .allocates(false);
    }

    static int maxPayloadBytes(final boolean ipv6) {
        return ipv6 ? MAX_IPV6_PAYLOAD_BYTES : MAX_IPV4_PAYLOAD_BYTES;
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("udp://127.0.0.1:0", true));
    }

    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return plainMessages(traits(channel), parameters(channel).tuning().batch());
    }

    static PlainMessages plainMessages(final TransportTraits traits, final int batch) {
        return PlainMessages.inMemory(traits)
                .batching(
                        batch > 1
                                ? "up to %d messages in a system call".formatted(batch)
                                : PlainMessages.NONE);
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        parameters(channel);
        return traits(UdpEndpoint.allOf(channel).getFirst().isIpv6());
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        final List<UdpEndpoint> endpoints = UdpEndpoint.allOf(channel);
        for (final UdpEndpoint endpoint : endpoints) {
            requirePort(channel, endpoint);
        }
        final boolean ipv6 = endpoints.getFirst().isIpv6();
        final SocketTuning tuning = parameters(channel).tuning();
        final UdpSocket socket = open(channel, ipv6);
        return guarded(
                socket,
                () -> {
                    final Destinations destinations;
                    if (endpoints.size() == 1) {
                        socket.connect(endpoints.getFirst(), 0);
                        destinations = Destinations.connected();
                    } else {
                        destinations = Destinations.fixed(endpoints, 0);
                    }
                    return new UdpPublication(
                            socket, destinations, channel, tuning.batch(), maxPayloadBytes(ipv6));
                });
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        final UdpEndpoint endpoint = UdpEndpoint.of(channel);
        final UdpSocket socket = open(channel, endpoint.isIpv6());
        return guarded(
                socket,
                () -> {
                    socket.bind(endpoint, 0);
                    return subscription(
                            socket,
                            Destinations.connected(),
                            resolved(channel, endpoint, socket),
                            parameters(channel).tuning());
                });
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        final UdpEndpoint endpoint = UdpEndpoint.of(channel);
        final SocketTuning tuning = parameters(channel).tuning();
        final boolean ipv6 = endpoint.isIpv6();
        if (side == ExchangeSide.BIND) {
            final UdpSocket socket =
                    ready(
                            new UdpSocket.BoundSocket(channel, ipv6, () -> open(channel, ipv6)),
                            channel);
            return guarded(
                    socket,
                    () -> {
                        socket.bind(endpoint, 0);
                        return exchange(
                                socket,
                                Destinations.peersThatSaidHello(),
                                resolved(channel, endpoint, socket),
                                tuning,
                                ipv6);
                    });
        }
        requirePort(channel, endpoint);
        final UdpSocket socket = open(channel, ipv6);
        return guarded(
                socket,
                () -> {
                    socket.connect(endpoint, 0);
                    return exchange(socket, Destinations.connected(), channel, tuning, ipv6);
                });
    }

    private static ChannelUri resolved(
            final ChannelUri channel, final UdpEndpoint endpoint, final UdpSocket bound) {
        return channel.withAuthority(endpoint.withPort(bound.port()).authority());
    }

    static Subscription subscription(
            final UdpSocket socket,
            final Destinations peers,
            final ChannelUri resolved,
            final SocketTuning tuning) {
        return new UdpSubscription(
                socket, peers, resolved, tuning.isBatched(), UdpSubscription.CAPACITY_BYTES);
    }

    static Exchange exchange(
            final UdpSocket socket,
            final Destinations peers,
            final ChannelUri resolved,
            final SocketTuning tuning,
            final boolean ipv6) {
        return new UdpExchange(
                new UdpPublication(socket, peers, resolved, tuning.batch(), maxPayloadBytes(ipv6)),
                new UdpSubscription(
                        socket,
                        peers,
                        resolved,
                        tuning.isBatched(),
                        UdpSubscription.CAPACITY_BYTES));
    }

    private static Parameters parameters(final ChannelUri channel) {
        final Parameters parameters = channel.read(Parameters.class);
        parameters.tuning().checked(channel);
        return parameters;
    }

    private static UdpSocket open(final ChannelUri channel, final boolean ipv6) {
        return ready(new UdpSocket(channel, ipv6), channel);
    }

    private static UdpSocket ready(final UdpSocket socket, final ChannelUri channel) {
        return guarded(
                socket,
                () -> {
                    final Parameters parameters = parameters(channel);
                    if (parameters.ttl() > 0) {
                        socket.options().setHops(parameters.ttl());
                    }
                    return socket.tuned(parameters.tuning());
                });
    }

    /** Creates the owner of the socket, or closes the socket. */
    static <T> T guarded(final UdpSocket socket, final Supplier<T> maker) {
        try {
            return maker.get();
        } catch (final UserError e) {
            socket.close();
            throw e;
        }
    }

    private static void requirePort(final ChannelUri channel, final UdpEndpoint endpoint) {
        if (endpoint.port() == 0) {
            throw UdpEndpoint.wrong(
                    channel, "has no port to send to; write the port the other side is bound to");
        }
    }

    /**
     * Both ends on one socket, which either of them closes.
     *
     * @param publication sends on the socket
     * @param subscription receives from the socket
     */
    private record UdpExchange(UdpPublication publication, UdpSubscription subscription)
            implements Exchange {
        @Override
        public ChannelUri channel() {
            return subscription.channel();
        }

        @Override
        public void close() {
            publication.close();
        }
    }

    /**
     * Parameters of a {@code udp} channel.
     *
     * @param tuning options requested for the socket
     * @param ttl hops a datagram may take
     */
    public record Parameters(
            SocketTuning tuning,
            @Setting(
                            help = "Hops a datagram may take; 0 leaves the system's default.",
                            byDefault = "0",
                            min = 0,
                            max = 255)
                    int ttl) {}
}
