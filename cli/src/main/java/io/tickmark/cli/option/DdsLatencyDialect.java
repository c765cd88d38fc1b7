package io.tickmark.cli.option;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The latency test of a DDS product: {@code -numIter} and the like, and a DDS channel in single
 * options, equivalent to {@code dds://88?transport=1}.
 */
public final class DdsLatencyDialect implements Dialect {
    private static final String CHANNEL = "channel";
    private static final String SCHEME = "dds";

    private static final Map<String, String> SPELLINGS =
            Map.ofEntries(
                    Map.entry("-numIter", "samples"),
                    Map.entry("-minSize", "minPayloadBytes"),
                    Map.entry("-maxSize", "maxPayloadBytes"),
                    Map.entry("-subscribers", "subscribers"),
                    Map.entry("-cookie", "cookie"),
                    Map.entry("-noecho", "noEcho"),
                    // not an option of that test, but an abbreviation that every publisher has
                    Map.entry("-a", "core"),
                    Map.entry("-r", "rate"));

    /**
     * A DDS channel in single options.
     *
     * @param domainId DDS domain, -1 where the channel is not DDS
     * @param nic address of the interface to use
     * @param transport 1 UDP over IPv4, 2 shared memory, 8 UDP over IPv6, 0 not given
     * @param peer addresses of the other participants
     * @param reliable strict reliable instead of best effort
     * @param multicastReceiveAddress group to receive on
     * @param multicastTtl hops of multicast packets, -1 not given
     * @param library file of the library, empty for what the loader finds
     */
    record Options(
            @Setting(
                            help = "DDS domain; given, the channel is dds://DOMAIN.",
                            byDefault = "-1",
                            min = -1,
                            max = 232,
                            aliases = {"-domainId"})
                    int domainId,
            @Setting(
                            help = "Address of the interface to use.",
                            aliases = {"-nic"},
                            label = "IP")
                    String nic,
            @Setting(
                            help = "1 UDP over IPv4, 2 shared memory, 8 UDP over IPv6.",
                            byDefault = "0",
                            min = 0,
                            max = 8,
                            aliases = {"-transport"})
                    int transport,
            @Setting(
                            help = "Address of another participant; may be repeated.",
                            aliases = {"-peer"},
                            label = "ADDRESS")
                    List<String> peer,
            @Setting(
                            help = "Strict reliable instead of best effort.",
                            byDefault = "false",
                            aliases = {"-reliable"})
                    boolean reliable,
            @Setting(
                            help = "Multicast group to receive on.",
                            aliases = {"-mcast_rcv_addr"},
                            label = "IP")
                    String multicastReceiveAddress,
            @Setting(
                            help = "Hops of multicast packets.",
                            byDefault = "-1",
                            min = -1,
                            max = 255,
                            aliases = {"-multicast_ttl"})
                    int multicastTtl,
            @Setting(help = "Library of Cyclone DDS 0.10 to use.", label = "FILE") String library) {

        /** The equivalent parameters of the channel. */
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

    /** One for all its lines. */
    public DdsLatencyDialect() {}

    @Override
    public Map<String, String> spellings() {
        return SPELLINGS;
    }

    @Override
    public String page() {
        return "connext-latency-test.md";
    }

    @Override
    public List<SettingDescriptor> options() {
        return SettingDescriptor.of(Options.class);
    }

    /**
     * A domain or a DDS transport makes the channel {@code dds://DOMAIN}, the rest its parameters.
     */
    @Override
    public Map<String, Object> meant(
            final Map<String, Object> typed, final UnaryOperator<String> naming) {
        final Map<String, Object> meant = new LinkedHashMap<>(typed);
        final Options options = Dialect.take(Options.class, meant, naming);
        final Map<String, String> parameters = options.parameters();
        if (options.domainId() < 0 && parameters.isEmpty()) {
            return meant;
        }
        final String channel = String.valueOf(typed.getOrDefault(CHANNEL, ""));
        final boolean isGiven = channel.startsWith(SCHEME + ":");
        if (!isGiven && options.domainId() < 0 && options.transport() == 0) {
            throw UserError.usage(
                    "%s: only valid with a DDS channel, and %s; give -domainId, or --channel dds://DOMAIN."
                            .formatted(
                                    typedFirst(typed, naming),
                                    channel.isEmpty() ? "none is named" : channel + " is none"));
        }
        ChannelUri uri =
                ChannelUri.parse(
                        isGiven ? channel : SCHEME + "://" + Math.max(0, options.domainId()));
        if (options.domainId() >= 0
                && !uri.authority().equals(Integer.toString(options.domainId()))) {
            throw UserError.usage(
                    "%s %d: --channel %s names another domain; give one."
                            .formatted(naming.apply("domainId"), options.domainId(), channel));
        }
        for (final Map.Entry<String, String> parameter : parameters.entrySet()) {
            uri = uri.with(parameter.getKey(), parameter.getValue());
        }
        meant.put(CHANNEL, uri.toString());
        return meant;
    }

    private static String typedFirst(
            final Map<String, Object> typed, final UnaryOperator<String> naming) {
        return SettingDescriptor.of(Options.class).stream()
                .map(SettingDescriptor::key)
                .filter(typed::containsKey)
                .findFirst()
                .map(naming)
                .orElseThrow();
    }
}
