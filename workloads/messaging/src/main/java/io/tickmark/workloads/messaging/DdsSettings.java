package io.tickmark.workloads.messaging;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
 * @param library file of the library, empty for what the loader finds
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
                int multicastTtl,
        @Setting(help = "DDS: library of Cyclone DDS 0.10 to use.", label = "FILE")
                String library) {

    private static final String SCHEME = "dds";

    /**
     * The channel to use: a domain or a DDS transport makes it {@code dds://DOMAIN}, the rest is
     * put behind its question mark.
     *
     * @param channel as given by {@code --channel}
     * @return the DDS channel where one is meant, else {@code channel}
     * @throws UserError if an option is given for a channel that is no DDS channel, or contradicts
     *     it
     */
    public String orChannel(final String channel) {
        final Map<String, String> parameters = parameters();
        if (domainId < 0 && parameters.isEmpty()) {
            return channel;
        }
        final boolean given = channel.startsWith(SCHEME + ":");
        if (!given && domainId < 0 && transport == 0) {
            throw UserError.usage(
                    "--"
                            + parameters.keySet().iterator().next()
                            + ": belongs to a DDS channel, and "
                            + channel
                            + " is none; give --domain-id (-domainId), or --channel dds://DOMAIN.");
        }
        ChannelUri uri = ChannelUri.parse(given ? channel : SCHEME + "://" + Math.max(0, domainId));
        if (domainId >= 0 && !uri.authority().equals(Integer.toString(domainId))) {
            throw UserError.usage(
                    "--domain-id "
                            + domainId
                            + ": --channel "
                            + channel
                            + " names another domain; give one.");
        }
        for (final Map.Entry<String, String> parameter : parameters.entrySet()) {
            uri = uri.with(parameter.getKey(), parameter.getValue());
        }
        return uri.toString();
    }

    private Map<String, String> parameters() {
        final Map<String, String> parameters = new LinkedHashMap<>();
        if (reliable) {
            parameters.put("reliable", "true");
        }
        if (transport != 0) {
            parameters.put("transport", Integer.toString(transport));
        }
        if (!nic.isEmpty()) {
            parameters.put("nic", nic);
        }
        if (!peer.isEmpty()) {
            parameters.put("peer", String.join(",", peer));
        }
        if (!multicastReceiveAddress.isEmpty()) {
            parameters.put("multicast", multicastReceiveAddress);
        }
        if (multicastTtl >= 0) {
            parameters.put("ttl", Integer.toString(multicastTtl));
        }
        if (!library.isEmpty()) {
            parameters.put("library", library);
        }
        return parameters;
    }
}
