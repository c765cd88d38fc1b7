package io.tickmark.transport.udp;

import io.tickmark.kernel.host.HostAddress;
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
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * UDP, multicast: {@code mcast://239.1.2.3:port}, {@code mcast://[ff15::1]:port}. Unless an
 * interface is named, nothing leaves this host.
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
        return Parameters.class;
    }

    @Override
    public Optional<String> absence() {
        return UdpTransport.notHere();
    }

    @Override
    public List<Kind> kinds() {
        return List.of(new Kind("mcast://239.192.0.77:0?interface=lo", true));
    }

    @Override
    public PlainMessages plainMessages(final ChannelUri channel) {
        return UdpTransport.plainMessages(traits(channel), parameters(channel).tuning().batch());
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        parameters(channel);
        return UdpTransport.traits(MulticastGroup.endpoint(channel).isIpv6());
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        final Parameters parameters = parameters(channel);
        final MulticastGroup group = MulticastGroup.of(channel, parameters);
        final UdpSocket socket = open(group, parameters);
        return UdpTransport.guarded(
                socket,
                () -> {
                    final UdpEndpoint resolved = bindSender(socket, group);
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
        final Parameters parameters = parameters(channel);
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
        final Parameters parameters = parameters(channel);
        final MulticastGroup group = MulticastGroup.of(channel, parameters);
        if (side == ExchangeSide.CONNECT && group.endpoint().port() == 0) {
            throw UdpEndpoint.wrong(channel, "has no port; write the one the other side sends to");
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
                    final UdpEndpoint resolved = bindSender(socket, group);
                    return UdpTransport.exchange(
                            socket,
                            Destinations.fixed(List.of(resolved), group.scope()),
                            channel.withAuthority(resolved.authority()),
                            parameters.tuning(),
                            resolved.isIpv6());
                });
    }

    /**
     * Gives the sender a unicast address. Where the group port is to be chosen, the port chosen for
     * this address is used: it is free, and members share theirs anyway.
     */
    private static UdpEndpoint bindSender(final UdpSocket socket, final MulticastGroup group) {
        socket.bind(group.local(), 0);
        group.sendBy(socket);
        final int port = group.endpoint().port();
        return group.endpoint().withPort(port == 0 ? socket.port() : port);
    }

    private static UdpSocket open(final MulticastGroup group, final Parameters parameters) {
        return UdpSocket.open(group.channel(), group.endpoint().isIpv6(), parameters.tuning());
    }

    private static Parameters parameters(final ChannelUri channel) {
        final Parameters parameters = channel.read(Parameters.class);
        parameters.tuning().checked(channel);
        return parameters;
    }

    /**
     * A group, the interface it is used on and how far it reaches.
     *
     * @param channel as the user wrote it
     * @param endpoint address and port of the group
     * @param networkInterface to send on and to join on
     * @param hops most hops of a datagram; 0 keeps it on this host
     * @param loop whether members on this host receive it
     */
    private record MulticastGroup(
            ChannelUri channel,
            UdpEndpoint endpoint,
            NetworkInterface networkInterface,
            int hops,
            boolean loop) {
        /** {@code struct ip_mreqn}: group, address, interface. */
        private static final int IPV4_REQUEST_BYTES = 12;

        /** {@code struct ipv6_mreq}: group, interface. */
        private static final int IPV6_REQUEST_BYTES = 20;

        /** Discard (RFC 863): only used to look up a route, nothing is sent there. */
        private static final int PROBE_PORT = 9;

        /**
         * Finds the interface. Where none is named, it is that of the host's address if the run has
         * several hosts; otherwise nothing may leave this host, so it is the loopback interface,
         * or, where that carries no such groups (IPv6 without a route for them), another one with a
         * hop limit of 0.
         */
        static MulticastGroup of(final ChannelUri channel, final Parameters parameters) {
            final UdpEndpoint endpoint = endpoint(channel);
            final String name =
                    parameters.networkInterface().isEmpty()
                            ? HostAddress.given()
                            : parameters.networkInterface();
            final boolean isNamed = !name.isEmpty();
            final List<NetworkInterface> candidates =
                    isNamed ? List.of(named(channel, name)) : loopbackFirst(endpoint.isIpv6());
            for (final NetworkInterface candidate : candidates) {
                final boolean stays = isNamed || isLoopback(candidate);
                final MulticastGroup group =
                        new MulticastGroup(
                                channel,
                                endpoint,
                                candidate,
                                stays ? parameters.ttl() : 0,
                                parameters.loop());
                if (group.isReachable()) {
                    return group;
                }
            }
            throw UserError.environment(
                    "--channel "
                            + channel
                            + ": "
                            + (isNamed ? "interface " + name : "no interface")
                            + " has a route to such groups; name another by ?interface=NAME, or add a route as root.");
        }

        /** The group that a channel names; accesses no interface. */
        static UdpEndpoint endpoint(final ChannelUri channel) {
            final UdpEndpoint endpoint = UdpEndpoint.of(channel);
            if (!endpoint.address().isMulticastAddress()) {
                throw UdpEndpoint.wrong(
                        channel,
                        "'"
                                + endpoint.host()
                                + "' is not a multicast group; use 224.0.0.0 to 239.255.255.255, or [ff00::] and up for IPv6");
            }
            return endpoint;
        }

        private static NetworkInterface named(final ChannelUri channel, final String name) {
            try {
                NetworkInterface found = NetworkInterface.getByName(name);
                if (found == null && name.matches("[0-9a-fA-F.:]+")) {
                    found = NetworkInterface.getByInetAddress(InetAddress.getByName(name));
                }
                if ((found == null || found.isLoopback()) && !HostAddress.given().isEmpty()) {
                    // Roles are on several hosts: loopback would reach none of them, and the
                    // channel that one reports to the
                    // others contains its own address.
                    found =
                            NetworkInterface.getByInetAddress(
                                    InetAddress.getByName(HostAddress.given()));
                }
                if (found != null) {
                    return found;
                }
            } catch (final SocketException | UnknownHostException e) {
                throw UdpEndpoint.wrong(
                        channel, "interface '" + name + "' cannot be looked up: " + e.getMessage());
            }
            throw UdpEndpoint.wrong(
                    channel,
                    "interface '"
                            + name
                            + "' does not exist; known here: "
                            + String.join(
                                    ", ", all().stream().map(NetworkInterface::getName).toList()));
        }

        private static List<NetworkInterface> loopbackFirst(final boolean ipv6) {
            return all().stream()
                    .filter(candidate -> isLoopback(candidate) || ipv6)
                    .sorted(Comparator.comparing(candidate -> !isLoopback(candidate)))
                    .toList();
        }

        private static List<NetworkInterface> all() {
            try {
                return NetworkInterface.networkInterfaces().toList();
            } catch (final SocketException e) {
                return List.of();
            }
        }

        private static boolean isLoopback(final NetworkInterface candidate) {
            try {
                return candidate.isLoopback();
            } catch (final SocketException e) {
                return false;
            }
        }

        /** Whether the interface has an address and a route for the group. */
        private boolean isReachable() {
            if (localAddresses().isEmpty()) {
                return false;
            }
            try (UdpSocket probe = UdpSocket.open(channel, endpoint.isIpv6(), SocketTuning.NONE)) {
                sendBy(probe);
                return probe.tryConnect(endpoint.withPort(PROBE_PORT), scope()) >= 0;
            }
        }

        private List<InetAddress> localAddresses() {
            return networkInterface
                    .inetAddresses()
                    .filter(address -> address.getClass() == endpoint.address().getClass())
                    .sorted(Comparator.comparing(InetAddress::isLinkLocalAddress))
                    .toList();
        }

        /** The unicast address that datagrams come from and replies go to, port to be chosen. */
        UdpEndpoint local() {
            final InetAddress address = localAddresses().getFirst();
            return new UdpEndpoint(address.getHostAddress(), address, 0);
        }

        /** Index of the interface: also the scope of groups that are only valid on a link. */
        int scope() {
            return networkInterface.getIndex();
        }

        /** Makes the socket send on the interface, with the permitted number of hops. */
        void sendBy(final UdpSocket socket) {
            if (endpoint.isIpv6()) {
                final int level = SocketNumbers.IPPROTO_IPV6;
                socket.options()
                        .require(level, SocketNumbers.IPV6_MULTICAST_IF, scope(), "interface");
                socket.options().require(level, SocketNumbers.IPV6_MULTICAST_HOPS, hops, "ttl");
                socket.options()
                        .require(level, SocketNumbers.IPV6_MULTICAST_LOOP, loop ? 1 : 0, "loop");
            } else {
                final int level = SocketNumbers.IPPROTO_IP;
                final int result =
                        socket.options()
                                .set(
                                        level,
                                        SocketNumbers.IP_MULTICAST_IF,
                                        request(),
                                        IPV4_REQUEST_BYTES);
                if (result < 0) {
                    throw socket.failed("interface " + networkInterface.getName(), result);
                }
                socket.options().require(level, SocketNumbers.IP_MULTICAST_TTL, hops, "ttl");
                socket.options()
                        .require(level, SocketNumbers.IP_MULTICAST_LOOP, loop ? 1 : 0, "loop");
            }
            socket.options().fact("interface", networkInterface.getName());
            socket.options().fact("hops", hops);
        }

        /** Binds the socket to the group, which other sockets share, and joins. */
        void join(final UdpSocket socket) {
            socket.options()
                    .require(SocketNumbers.SOL_SOCKET, SocketNumbers.SO_REUSEADDR, 1, "reuse");
            socket.bind(endpoint, scope());
            final boolean ipv6 = endpoint.isIpv6();
            final int level = ipv6 ? SocketNumbers.IPPROTO_IPV6 : SocketNumbers.IPPROTO_IP;
            // Receives only the groups that this socket joined, not those that others on this host
            // joined; older kernels lack
            // the option.
            socket.options()
                    .set(
                            level,
                            ipv6
                                    ? SocketNumbers.IPV6_MULTICAST_ALL
                                    : SocketNumbers.IP_MULTICAST_ALL,
                            0);
            final int result =
                    socket.options()
                            .set(
                                    level,
                                    ipv6
                                            ? SocketNumbers.IPV6_JOIN_GROUP
                                            : SocketNumbers.IP_ADD_MEMBERSHIP,
                                    request(),
                                    ipv6 ? IPV6_REQUEST_BYTES : IPV4_REQUEST_BYTES);
            if (result < 0) {
                throw socket.failed(
                        "joining "
                                + endpoint.host()
                                + " on "
                                + networkInterface.getName()
                                + " failed",
                        result);
            }
            socket.options().fact("interface", networkInterface.getName());
        }

        private UnsafeBuffer request() {
            final UnsafeBuffer request =
                    new UnsafeBuffer(ByteBuffer.allocateDirect(IPV6_REQUEST_BYTES));
            request.putBytes(0, endpoint.address().getAddress());
            request.putInt(endpoint.isIpv6() ? 16 : 8, scope());
            return request;
        }
    }

    /**
     * Parameters of a {@code mcast} channel.
     *
     * @param tuning options requested for the socket
     * @param ttl hops a datagram may take
     * @param networkInterface the interface to use, by name or address
     * @param loop whether members on this host receive it
     */
    public record Parameters(
            SocketTuning tuning,
            @Setting(
                            help = "Hops a datagram may take; 0 keeps it on this host.",
                            byDefault = "1",
                            min = 0,
                            max = 255)
                    int ttl,
            @Setting(
                            key = "interface",
                            help =
                                    "Interface by name (eth0) or address; without it nothing leaves this host.",
                            label = "NAME")
                    String networkInterface,
            @Setting(
                            help =
                                    "Whether members on this host receive it too; on the loopback interface they always do.",
                            byDefault = "true")
                    boolean loop) {}
}
