package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.udp.SocketTuning;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A {@code mcast} or {@code udp} channel in single options, as programs that test bare sockets
 * spell it.
 *
 * @param group multicast group; empty for the default one, or for unicast
 * @param address of the publisher, for unicast
 * @param port of the group or of the publisher
 * @param networkInterface by name or address
 * @param ttl hops, -1 for the channel's default
 * @param tuning what is asked of the socket
 */
public record SocketSettings(
        @Setting(
                        help =
                                "Multicast group address; where neither it nor --address is given, 239.192.0.77.",
                        aliases = {"-g"},
                        label = "IP")
                String group,
        @Setting(
                        help =
                                "The publisher's own address, on both sides: unicast in place of a group.",
                        label = "HOST")
                String address,
        @Setting(
                        help =
                                "Port of the group, or of the publisher. A whole test on one machine takes any free"
                                        + " one where it is 0, one side by hand 14400.",
                        byDefault = "0",
                        min = 0,
                        max = 65_535)
                int port,
        @Setting(
                        key = "interface",
                        help =
                                "Interface for the group, by name or address; without it nothing leaves this host.",
                        aliases = {"-i"},
                        label = "NAME")
                String networkInterface,
        @Setting(
                        help = "Hops a datagram may take; -1 for the channel's own default.",
                        byDefault = "-1",
                        min = -1,
                        max = 255)
                int ttl,
        SocketTuning tuning) {
    /** In the organization-local scope of RFC 2365. */
    private static final String DEFAULT_GROUP = "239.192.0.77";

    private static final int PORT_BY_HAND = 14_400;

    /**
     * The channel that is meant.
     *
     * @param byHand whether both sides must know the port beforehand
     * @return {@code mcast://...} or {@code udp://...}
     * @throws UserError if group and address are given, the group is none, or an interface is given
     *     for unicast
     */
    public String channel(final boolean byHand) {
        final boolean unicast = !address.isEmpty();
        if (unicast && !group.isEmpty()) {
            throw UserError.usage(
                    "--address %s and --group (-g) %s: unicast goes to an address, multicast to a group; give one."
                            .formatted(address, group));
        }
        if (unicast && !networkInterface.isEmpty()) {
            throw UserError.usage(
                    "--interface (-i) %s: belongs to a group; for unicast the --address says which interface it is."
                            .formatted(networkInterface));
        }
        final String host = unicast ? address : group.isEmpty() ? DEFAULT_GROUP : checked(group);
        return new ChannelUri(
                        unicast ? "udp" : "mcast",
                        bracketed(host) + ":" + (port == 0 && byHand ? PORT_BY_HAND : port),
                        parameters(),
                        true)
                .toString();
    }

    private static String checked(final String group) {
        try {
            if (InetAddress.ofLiteral(group).isMulticastAddress()) {
                return group;
            }
        } catch (final IllegalArgumentException e) {
            // said below
        }
        throw UserError.usage(
                "--group (-g) %s: is no multicast group; use 224.0.0.0 to 239.255.255.255, or ff00:: and up for IPv6."
                        .formatted(group));
    }

    private static String bracketed(final String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    /** Only what is not the channel's default, so that results name what was asked for. */
    private Map<String, String> parameters() {
        final Map<String, String> parameters = new LinkedHashMap<>();
        if (!networkInterface.isEmpty()) {
            parameters.put("interface", networkInterface);
        }
        if (ttl >= 0) {
            parameters.put("ttl", Integer.toString(ttl));
        }
        final Map<String, Object> defaults =
                Settings.toMap(Settings.read(SocketTuning.class, Map.of(), key -> key));
        Settings.toMap(tuning)
                .forEach((name, value) -> {
                    if (!value.equals(defaults.get(name))) {
                        parameters.put(name, value.toString());
                    }
                });
        return parameters;
    }
}
