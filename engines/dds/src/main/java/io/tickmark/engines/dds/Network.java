package io.tickmark.engines.dds;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How participants reach each other.
 *
 * @param nic interface by address or name
 * @param discovery never AUTO
 * @param peers addresses of hosts
 * @param group multicast group to receive data on; empty for unicast
 */
record Network(String nic, Discovery discovery, List<String> peers, String group) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:@%-]{1,64}");

    /** Ways in which other tools write a peer: a number of participants, a transport. */
    private static final Pattern PEER_PREFIX =
            Pattern.compile("^(\\d+@)?(udpv4|udpv6|builtin\\.udpv4|builtin\\.udpv6)?(://)?");

    private static final String THIS_HOST = "shmem://";

    static Network of(final ChannelUri uri, final DdsParameters parameters, final Carrier carrier) {
        final boolean isIp6 = carrier == Carrier.UDP6;
        final String loopback = isIp6 ? "::1" : "127.0.0.1";
        // of a run on several hosts
        final String given = HostAddress.given();
        final String ofHost =
                given.isEmpty() || given.contains(":") == isIp6
                        ? given
                        : inOtherFamily(given, isIp6);
        final boolean isOfHost = parameters.nic().isEmpty() || "lo".equals(parameters.nic());
        final String own = isOfHost && !ofHost.isEmpty() ? ofHost : parameters.nic();
        final String nic = own.isEmpty() ? loopback : own;
        if (!NAME.matcher(nic).matches()) {
            throw DdsChannel.refused(
                    uri, "nic '" + nic + "' is neither an address nor the name of an interface");
        }
        final List<String> peers =
                parameters.peer().stream()
                        .filter(peer -> !peer.equals(THIS_HOST))
                        .map(peer -> PEER_PREFIX.matcher(peer).replaceFirst(""))
                        .toList();
        for (final String peer : peers) {
            if (!NAME.matcher(peer).matches()) {
                throw DdsChannel.refused(uri, "peer '" + peer + "' is not the address of a host");
            }
        }
        if (!parameters.multicast().isEmpty() && !isGroup(parameters.multicast(), carrier)) {
            throw DdsChannel.refused(
                    uri,
                    "multicast '"
                            + parameters.multicast()
                            + "' is not a multicast address; use "
                            + (carrier == Carrier.UDP6
                                    ? "one of ff00::/8, for example ff02::4321"
                                    : "224.0.0.0 to 239.255.255.255, for example 239.1.2.3"));
        }
        return new Network(
                nic, discovery(uri, parameters, own, peers), peers, parameters.multicast());
    }

    private static Discovery discovery(
            final ChannelUri uri,
            final DdsParameters parameters,
            final String nic,
            final List<String> peers) {
        return switch (parameters.discovery()) {
            case AUTO -> {
                if (!peers.isEmpty()) {
                    yield Discovery.PEERS;
                }
                yield nic.isEmpty() || parameters.peer().contains(THIS_HOST)
                        ? Discovery.HOST
                        : Discovery.MULTICAST;
            }
            case PEERS -> {
                if (peers.isEmpty()) {
                    throw DdsChannel.refused(
                            uri,
                            "discovery=peers needs the addresses of the others; give peer=HOST,...");
                }
                yield Discovery.PEERS;
            }
            case HOST -> Discovery.HOST;
            case MULTICAST -> Discovery.MULTICAST;
        };
    }

    private static boolean isGroup(final String text, final Carrier carrier) {
        if (!text.matches("[0-9A-Fa-f.:]+")) {
            return false;
        }
        try {
            final InetAddress address = InetAddress.getByName(text);
            return address.isMulticastAddress()
                    && address.getAddress().length == (carrier == Carrier.UDP6 ? 16 : 4);
        } catch (final UnknownHostException e) {
            return false;
        }
    }

    /** Refuses interfaces that this machine does not have; called only when an end is opened. */
    void check(final ChannelUri uri) {
        final NetworkInterface found = found(uri);
        final boolean wantsMulticast = !group.isEmpty() || discovery == Discovery.MULTICAST;
        try {
            if (!found.isUp()) {
                throw environment(uri, "interface " + found.getName() + " is down; bring it up");
            }
            if (wantsMulticast && !found.supportsMulticast() && !found.isLoopback()) {
                throw environment(
                        uri,
                        "interface "
                                + found.getName()
                                + " has no multicast; switch it on (ip link set "
                                + found.getName()
                                + " multicast on), or give peer= and no multicast=");
            }
        } catch (final SocketException e) {
            throw environment(uri, "interface " + nic + " cannot be examined: " + e.getMessage());
        }
    }

    private NetworkInterface found(final ChannelUri uri) {
        try {
            final NetworkInterface byName = NetworkInterface.getByName(nic);
            final NetworkInterface found =
                    byName != null
                            ? byName
                            : NetworkInterface.getByInetAddress(InetAddress.getByName(nic));
            if (found != null) {
                return found;
            }
        } catch (final SocketException | UnknownHostException e) {
            // As if it did not exist: the sentence below lists the existing ones.
        }
        throw environment(
                uri,
                "nic "
                        + nic
                        + " is neither an interface of this machine nor the address of one; it has "
                        + interfaces());
    }

    private static UserError environment(final ChannelUri uri, final String what) {
        return UserError.environment("--channel " + uri + ": " + what + ".");
    }

    /**
     * The interface with an address, for a carrier of the other family: by an address of that
     * family which other hosts reach, or by its name where it has none.
     *
     * @param address or name of this host
     * @param isIp6 whether the carrier takes IPv6
     * @return the address itself where no interface has it, for the check that reports this
     */
    static String inOtherFamily(final String address, final boolean isIp6) {
        try {
            final NetworkInterface found =
                    NetworkInterface.getByInetAddress(InetAddress.getByName(address));
            if (found == null) {
                return address;
            }
            return found.inetAddresses()
                    .filter(each -> each instanceof Inet6Address == isIp6)
                    .filter(each -> !each.isLinkLocalAddress())
                    .findFirst()
                    .map(each -> each.getHostAddress().replaceAll("%.*", ""))
                    .orElse(found.getName());
        } catch (final SocketException | UnknownHostException e) {
            return address;
        }
    }

    /** Those of this machine, such as {@code lo (127.0.0.1), eth0 (192.0.2.2)}. */
    private static String interfaces() {
        try {
            return NetworkInterface.networkInterfaces()
                    .map(nic ->
                            nic.inetAddresses()
                                    .map(address -> address.getHostAddress().replaceAll("%.*", ""))
                                    .collect(Collectors.joining(", ", nic.getName() + " (", ")")))
                    .sorted()
                    .collect(Collectors.joining(", "));
        } catch (final SocketException e) {
            return "none that can be listed";
        }
    }
}
