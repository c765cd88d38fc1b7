package io.tickmark.engines.aeron;

import io.tickmark.engines.aeron.AeronParameters.DriverChoice;
import io.tickmark.kernel.host.NetworkLink;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.TransportTraits;
import java.io.File;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.agrona.BitUtil;
import org.agrona.SystemUtil;

/**
 * A channel of scheme {@code aeron}, with its parameters separated and checked as far as possible
 * without a driver. No class of Aeron is loaded.
 *
 * @param uri as the user wrote it
 * @param kind how it reaches the other side
 * @param own what tickmark adds
 * @param aeron what is passed to Aeron unchanged, always including {@code term-length}
 */
record AeronChannel(
        ChannelUri uri, ChannelKind kind, AeronParameters own, Map<String, String> aeron) {
    static final String ENDPOINT = "endpoint";
    static final String CONTROL = "control";
    static final String CONTROL_MODE = "control-mode";
    static final String FLOW_CONTROL = "fc";
    static final String INTERFACE = "interface";
    static final String TERM_LENGTH = "term-length";
    private static final String TERM_BYTES = "termBytes";

    private static final Set<String> OWN_KEYS =
            SettingDescriptor.of(AeronParameters.class).stream()
                    .map(SettingDescriptor::key)
                    .collect(Collectors.toUnmodifiableSet());

    /** Aeron's parameters that can be used unchanged. */
    private static final Set<String> PASSED_ON =
            Set.of(
                    ENDPOINT,
                    INTERFACE,
                    CONTROL,
                    CONTROL_MODE,
                    TERM_LENGTH,
                    FLOW_CONTROL,
                    "mtu",
                    "ttl",
                    "reliable",
                    "tags",
                    "sparse",
                    "alias",
                    "eos",
                    "linger",
                    "tether",
                    "group",
                    "rejoin",
                    "cc",
                    "gtag",
                    "ssc",
                    "so-sndbuf",
                    "so-rcvbuf",
                    "rcv-wnd",
                    "pub-wnd",
                    "nak-delay",
                    "max-resend",
                    "untethered-window-limit-timeout",
                    "untethered-linger-timeout",
                    "untethered-resting-timeout",
                    "media-rcv-ts-offset",
                    "channel-rcv-ts-offset",
                    "channel-snd-ts-offset");

    /** Those of them that are true or false; Aeron takes anything else for false. */
    private static final Set<String> FLAGS =
            Set.of("reliable", "sparse", "eos", "tether", "rejoin", "ssc");

    /** Aeron's parameters that pin down one stream, where tickmark opens several. */
    private static final Set<String> CHOSEN_BY_US =
            Set.of(
                    "stream-id",
                    "session-id",
                    "init-term-id",
                    "term-id",
                    "term-offset",
                    "response-endpoint",
                    "response-correlation-id");

    private static final int LARGEST_MESSAGE = 16 << 20;
    private static final int TERM_PARTS_OF_LARGEST_MESSAGE = 8;
    private static final int SMALLEST_TERM = 64 << 10;

    /** Reads and checks a channel. */
    static AeronChannel of(final ChannelUri uri) {
        if (uri.hierarchical() || !uri.authority().matches("ipc|udp")) {
            throw UserError.usage(
                    named(
                            uri,
                            "is not an Aeron channel; write aeron:ipc or aeron:udp?endpoint=host:port."));
        }
        final Map<String, String> given = new LinkedHashMap<>();
        final Map<String, String> aeron = new LinkedHashMap<>();
        uri.parameters()
                .forEach((key, value) -> {
                    if (PASSED_ON.contains(key)) {
                        aeron.put(key, value);
                    } else if (CHOSEN_BY_US.contains(key)) {
                        throw UserError.usage(
                                named(
                                        uri,
                                        "gives '"
                                                + key
                                                + "', which tickmark chooses itself; leave it out."));
                    } else if (OWN_KEYS.contains(key) || key.indexOf('-') < 0) {
                        given.put(key, value);
                    } else {
                        throw UserError.usage(
                                named(
                                        uri,
                                        "gives '"
                                                + key
                                                + "', which Aeron does not know; leave it out."));
                    }
                });
        final AeronParameters own = uri.read(AeronParameters.class, given);
        if (given.containsKey(TERM_BYTES) && aeron.containsKey(TERM_LENGTH)) {
            throw UserError.usage(
                    named(uri, "gives termBytes and term-length, which are the same; give one."));
        }
        aeron.putIfAbsent(TERM_LENGTH, Integer.toString(own.termBytes()));
        final AeronChannel channel =
                new AeronChannel(uri, ChannelKind.of(uri, aeron, own), own, Map.copyOf(aeron));
        channel.check();
        return channel;
    }

    private void check() {
        final int termLength = termLength();
        if (!BitUtil.isPowerOfTwo(termLength) || termLength < SMALLEST_TERM) {
            throw refused(
                    "has a term of "
                            + termLength
                            + " bytes; give a power of two from 65536 to 1073741824 as termBytes.");
        }
        aeron.forEach((key, value) -> {
            if (FLAGS.contains(key) && !value.matches("true|false")) {
                throw refused("is refused by Aeron: " + key + " is true or false.");
            }
        });
        if (!own.destinations().isEmpty() && kind != ChannelKind.MANUAL) {
            throw refused("gives destinations without control-mode=manual; give both.");
        }
        if (own.lossPart() > 0 && kind == ChannelKind.IPC) {
            throw refused("gives lossPart, but aeron:ipc has no datagrams to lose; use aeron:udp.");
        }
        if (external() && (own.lossPart() > 0 || own.threading() != DriverThreading.AUTO)) {
            throw refused(
                    "gives lossPart or threading for a driver that runs elsewhere; set them where it is started.");
        }
        own.destinations().forEach(this::destination);
        if (!own.replyEndpoint().isEmpty()) {
            HostAndPort.parse(own.replyEndpoint(), naming("replyEndpoint"));
        }
    }

    private void destination(final String text) {
        if (HostAndPort.parse(text, naming("destinations")).port() == 0) {
            throw refused(
                    "has a destination with port 0, which cannot be known here; give its port.");
        }
    }

    /** Whether an already running driver is used; on ipc the side decides whether to join one. */
    boolean external() {
        return own.driver() == DriverChoice.EXTERNAL
                || own.driver() == DriverChoice.AUTO && !own.aeronDir().isEmpty();
    }

    /** Bytes of a term. */
    int termLength() {
        return (int) size(TERM_LENGTH);
    }

    private long size(final String key) {
        try {
            final long bytes = SystemUtil.parseSize(key, aeron.get(key));
            if (bytes <= 1 << 30) {
                return bytes;
            }
        } catch (final NumberFormatException e) {
            throw refused("has no size in " + key + "; write bytes, or a number with k, m or g.");
        }
        throw refused("has a " + key + " over 1 GiB; give less.");
    }

    /** The address that the binding side owns: {@code control} where there is one. */
    HostAndPort address() {
        return address(addressKey());
    }

    private HostAndPort address(final String key) {
        return HostAndPort.parse(aeron.get(key), naming(key));
    }

    /** The link by which it sends: that of its own address, else that of the route. */
    Optional<NetworkLink> link() {
        return host().flatMap(host -> NetworkLink.ofOwn(host).or(() -> NetworkLink.towards(host)));
    }

    boolean isIpv6() {
        return host().map(Inet6Address.class::isInstance).orElse(false);
    }

    private Optional<InetAddress> host() {
        try {
            return Optional.of(
                    InetAddress.getByName(
                            own.destinations().isEmpty()
                                    ? address().bareHost()
                                    : HostAndPort.parse(
                                                    own.destinations().getFirst(),
                                                    naming("destinations"))
                                            .bareHost()));
        } catch (final UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Which of Aeron's parameters that address is. */
    String addressKey() {
        return aeron.containsKey(CONTROL) ? CONTROL : ENDPOINT;
    }

    /** The same channel with another port in its address. */
    AeronChannel withPort(final int port) {
        return of(uri.with(addressKey(), address().withPort(port).toString()));
    }

    /** Whether it says where a subscriber of a control address receives. */
    boolean hasReceiver() {
        return kind == ChannelKind.DYNAMIC
                && aeron.containsKey(ENDPOINT)
                && address(ENDPOINT).port() != 0;
    }

    /** The same channel for a subscriber that reports to its address and receives on another. */
    AeronChannel withReceiver(final HostAndPort receiver) {
        return of(
                uri.with(CONTROL, address().toString())
                        .with(CONTROL_MODE, "dynamic")
                        .with(ENDPOINT, receiver.toString()));
    }

    /** The same channel with an address for replies. */
    AeronChannel withReplies(final HostAndPort address) {
        return of(uri.with("replyEndpoint", address.toString()));
    }

    /**
     * The channel by which others join a driver: parameters that only its host decides are omitted.
     */
    ChannelUri onDriver(final File directory) {
        if (!own.aeronDir().isEmpty()) {
            return uri;
        }
        final Map<String, String> parameters = new LinkedHashMap<>(uri.parameters());
        parameters.remove("driver");
        parameters.remove("threading");
        parameters.remove("idle");
        parameters.put("aeronDir", directory.getPath());
        return new ChannelUri(uri.scheme(), uri.authority(), parameters, uri.hierarchical());
    }

    private String naming(final String key) {
        return "--channel " + uri + ": " + key;
    }

    /** A usage error about this channel. */
    UserError refused(final String what) {
        return UserError.usage(named(uri, what));
    }

    private static String named(final ChannelUri uri, final String what) {
        return "--channel: '" + uri + "' " + what;
    }

    /** The guarantees of the channel. */
    TransportTraits traits() {
        // Min flow control, which we request, waits for every receiver of a group; max waits for
        // none.
        final boolean waitsForAll = !aeron.getOrDefault(FLOW_CONTROL, "min").startsWith("max");
        final boolean reliable = !"false".equals(aeron.get("reliable"));
        return TransportTraits.upTo(
                        Math.min(termLength() / TERM_PARTS_OF_LARGEST_MESSAGE, LARGEST_MESSAGE))
                .reliable(reliable && waitsForAll)
                .ordered(true)
                .backPressured(waitsForAll)
                .detectsDisconnect(true)
                .fansOut(kind != ChannelKind.UNICAST)
                .claims(true)
                .allocates(false);
    }
}
