package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.Setting;
import java.util.List;
import java.util.StringJoiner;

/**
 * A DDS channel in single options, as DDS latency tests spell it; {@code --channel dds://...} says
 * the same in one.
 *
 * @param domainId DDS domain, -1 where no DDS channel is meant
 * @param nic address of the interface to use
 * @param transport 1 UDP over IPv4, 2 shared memory, 8 UDP over IPv6, 0 not given
 * @param peer addresses of the other participants
 * @param reliable strict reliable instead of best effort
 * @param multicastReceiveAddress group to receive on
 * @param multicastTtl hops of multicast packets, -1 not given
 */
public record DdsSettings(
        @Setting(
                        help = "DDS domain; given, the channel is dds://DOMAIN.",
                        byDefault = "-1",
                        min = -1,
                        max = 232,
                        aliases = {"-domainId"})
                int domainId,
        @Setting(
                        help = "DDS: address of the interface to use.",
                        aliases = {"-nic"},
                        label = "IP")
                String nic,
        @Setting(
                        help = "DDS: 1 UDP over IPv4, 2 shared memory, 8 UDP over IPv6.",
                        byDefault = "0",
                        min = 0,
                        max = 8,
                        aliases = {"-transport"})
                int transport,
        @Setting(
                        help = "DDS: address of another participant; may be repeated.",
                        aliases = {"-peer"},
                        label = "ADDRESS")
                List<String> peer,
        @Setting(
                        help = "DDS: strict reliable instead of best effort.",
                        byDefault = "false",
                        aliases = {"-reliable"})
                boolean reliable,
        @Setting(
                        help = "DDS: multicast group to receive on.",
                        aliases = {"-mcast_rcv_addr"},
                        label = "IP")
                String multicastReceiveAddress,
        @Setting(
                        help = "DDS: hops of multicast packets.",
                        byDefault = "-1",
                        min = -1,
                        max = 255,
                        aliases = {"-multicast_ttl"})
                int multicastTtl) {

    /**
     * The channel to use.
     *
     * @param channel as given by {@code --channel}
     * @return the DDS channel where a domain or a DDS transport is given, else {@code channel}
     */
    public String orChannel(final String channel) {
        if (domainId < 0 && transport == 0) {
            return channel;
        }
        final StringJoiner parameters = new StringJoiner("&", "?", "").setEmptyValue("");
        if (reliable) {
            parameters.add("reliable=true");
        }
        if (transport != 0) {
            parameters.add("transport=" + transport);
        }
        if (!nic.isEmpty()) {
            parameters.add("nic=" + nic);
        }
        if (!peer.isEmpty()) {
            parameters.add("peer=" + String.join(",", peer));
        }
        if (!multicastReceiveAddress.isEmpty()) {
            parameters.add("multicast=" + multicastReceiveAddress);
        }
        if (multicastTtl >= 0) {
            parameters.add("ttl=" + multicastTtl);
        }
        return "dds://" + Math.max(0, domainId) + parameters;
    }
}
