package io.tickmark.cli.option;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.udp.SocketTuning;
import io.tickmark.workloads.messaging.store.FlightSettings;
import io.tickmark.workloads.messaging.store.StoreSettings;
import io.tickmark.workloads.messaging.store.StoreWaitSettings;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * {@code sock_perf_pub} and {@code sock_perf_sub}: streams over bare sockets, a {@code mcast} or
 * {@code udp} channel in single options.
 */
public final class SockPerfDialect implements Dialect {
    private static final String RATE = "rate";
    private static final String SLEEP_US = "sleepUs";

    /** In the organization-local scope of RFC 2365. */
    private static final String DEFAULT_GROUP = "239.192.0.77";

    private static final int PORT_BY_HAND = 14_400;

    /**
     * Where the datagrams are sent.
     *
     * @param group multicast group; empty for the default one, or for unicast
     * @param address of the publisher, for unicast
     * @param port of the group or of the publisher
     * @param networkInterface by name or address
     * @param ttl hops, -1 for the channel's default
     * @param tuning options requested for the socket
     */
    record Address(
            @Setting(
                            help =
                                    "Multicast group address (default: 239.192.0.77, unless --address is given).",
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
                                    "Port of the group, or of the publisher. 0 means any free one for a whole test on one"
                                            + " machine, and 14400 for one side by hand.",
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

        /**
         * The effective channel; when started by hand, both sides must know the port beforehand.
         */
        String channel(final boolean byHand) {
            final boolean unicast = !address.isEmpty();
            if (unicast && !group.isEmpty()) {
                throw UserError.usage(
                        "--address %s and --group (-g) %s: unicast goes to an address, multicast to a group; give one."
                                .formatted(address, group));
            }
            if (unicast && !networkInterface.isEmpty()) {
                throw UserError.usage(
                        "--interface (-i) %s: only valid with a group; for unicast the --address says which interface it is."
                                .formatted(networkInterface));
            }
            final String host =
                    unicast ? address : group.isEmpty() ? DEFAULT_GROUP : checked(group);
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
                // reported below
            }
            throw UserError.usage(
                    "--group (-g) %s: is not a multicast group; use 224.0.0.0 to 239.255.255.255, or ff00:: and up for IPv6."
                            .formatted(group));
        }

        private static String bracketed(final String host) {
            return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        }

        /** Only what is not the channel's default, so that results name what was requested. */
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

    /**
     * The pacing of a publisher other than by a rate.
     *
     * @param sleepUs gap after each send; -1 where it sends at a rate, or as fast as possible
     */
    record Pause(
            @Setting(
                            help =
                                    "Sleep after each send, in place of --rate (-r), which sends busily and catches up; -1"
                                            + " for not at all.",
                            byDefault = "-1",
                            unit = "us",
                            min = -1,
                            max = 3.6e9,
                            aliases = {"-s"})
                    long sleepUs) {}

    private final boolean sends;
    private final boolean byHand;

    /**
     * For one or both sides.
     *
     * @param sends whether a publisher is among the roles
     * @param byHand whether it is one side, so that both must know the port beforehand
     */
    public SockPerfDialect(final boolean sends, final boolean byHand) {
        this.sends = sends;
        this.byHand = byHand;
    }

    /** Those of the streaming tools; {@code -g} and {@code -s} are primarily its own options. */
    @Override
    public Map<String, String> spellings() {
        return UmPerfDialect.SPELLINGS;
    }

    @Override
    public List<SettingDescriptor> options() {
        final List<SettingDescriptor> options =
                new ArrayList<>(SettingDescriptor.of(Address.class));
        if (sends) {
            options.addAll(SettingDescriptor.of(Pause.class));
        }
        return options;
    }

    @Override
    public boolean areOptionsShown() {
        return true;
    }

    /** One socket is one topic, copies messages, and has no store. */
    @Override
    public Set<String> replaced() {
        final Set<String> replaced =
                new HashSet<>(Set.of("channel", "topics", "sleep", "sendPath"));
        Stream.of(FlightSettings.class, StoreWaitSettings.class, StoreSettings.class)
                .flatMap(group -> SettingDescriptor.of(group).stream())
                .map(SettingDescriptor::key)
                .forEach(replaced::add);
        return replaced;
    }

    @Override
    public Map<String, Object> meant(
            final Map<String, Object> typed, final UnaryOperator<String> naming) {
        final Map<String, Object> meant = new LinkedHashMap<>(typed);
        meant.put("channel", Dialect.take(Address.class, meant, naming).channel(byHand));
        final long sleepUs = Dialect.take(Pause.class, meant, naming).sleepUs();
        if (sleepUs >= 0) {
            for (final String other : List.of(RATE, "pace")) {
                if (typed.containsKey(other)) {
                    throw UserError.usage(
                            "%s %s and %s %s: a publisher keeps to a rate or sleeps between sends; give one."
                                    .formatted(
                                            naming.apply(SLEEP_US),
                                            typed.get(SLEEP_US),
                                            naming.apply(other),
                                            typed.get(other)));
                }
            }
            meant.put("pace", "sleep");
            meant.put("sleep", sleepUs + "us");
        }
        return meant;
    }
}
