package io.tickmark.engines.aeron;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import java.util.Map;

/** How a channel reaches the other side. */
enum ChannelKind {
    /** Shared memory within one driver. */
    IPC,
    /** To the address of the one subscriber. */
    UNICAST,
    /**
     * By one address, that of the receiver in a one-way stream; in an exchange that of the sender.
     */
    ENDPOINT,
    /** To a multicast group. */
    MULTICAST,
    /** To each receiver that reports to a control address. */
    DYNAMIC,
    /** To each of a list of addresses. */
    MANUAL;

    /** Derives it from the channel's parameters. */
    static ChannelKind of(
            final ChannelUri uri, final Map<String, String> aeron, final AeronParameters own) {
        final ChannelKind kind = of(uri, aeron);
        if (!own.unicast()) {
            return kind;
        }
        if (kind != ENDPOINT) {
            throw UserError.usage(
                    "--channel: '"
                            + uri
                            + "' gives unicast, but does not name one receiver; write"
                            + " aeron:udp?endpoint=host:port, or leave unicast out.");
        }
        return UNICAST;
    }

    private static ChannelKind of(final ChannelUri uri, final Map<String, String> aeron) {
        if ("ipc".equals(uri.authority())) {
            return ofIpc(uri, aeron);
        }
        final String naming = "--channel " + uri + ": ";
        for (final String key : new String[] {AeronChannel.ENDPOINT, AeronChannel.CONTROL}) {
            if (aeron.containsKey(key)) {
                HostAndPort.parse(aeron.get(key), naming + key);
            }
        }
        final String mode = aeron.getOrDefault(AeronChannel.CONTROL_MODE, "");
        return switch (mode) {
            case "manual" -> manual(uri);
            case "dynamic" -> dynamic(uri, aeron);
            case "" -> aeron.containsKey(AeronChannel.CONTROL) ? DYNAMIC : ofEndpoint(uri, aeron);
            default ->
                    throw UserError.usage(
                            naming
                                    + "control-mode '"
                                    + mode
                                    + "' is not supported; use dynamic or manual.");
        };
    }

    private static ChannelKind ofIpc(final ChannelUri uri, final Map<String, String> aeron) {
        for (final String key :
                new String[] {
                    AeronChannel.ENDPOINT, AeronChannel.CONTROL, AeronChannel.CONTROL_MODE
                }) {
            if (aeron.containsKey(key)) {
                throw UserError.usage(
                        "--channel: '"
                                + uri
                                + "' gives '"
                                + key
                                + "', but aeron:ipc has no address; leave it out or use aeron:udp.");
            }
        }
        return IPC;
    }

    private static ChannelKind ofEndpoint(final ChannelUri uri, final Map<String, String> aeron) {
        if (!aeron.containsKey(AeronChannel.ENDPOINT)) {
            throw UserError.usage(
                    "--channel: '" + uri + "' has no address; write aeron:udp?endpoint=host:port.");
        }
        return HostAndPort.parse(aeron.get(AeronChannel.ENDPOINT), "--channel " + uri).isMulticast()
                ? MULTICAST
                : ENDPOINT;
    }

    private static ChannelKind dynamic(final ChannelUri uri, final Map<String, String> aeron) {
        if (!aeron.containsKey(AeronChannel.CONTROL)) {
            throw UserError.usage(
                    "--channel: '"
                            + uri
                            + "' has control-mode=dynamic without an address; add control=host:port.");
        }
        return DYNAMIC;
    }

    private static ChannelKind manual(final ChannelUri uri) {
        if (!uri.parameters().containsKey("destinations")) {
            throw UserError.usage(
                    "--channel: '"
                            + uri
                            + "' has control-mode=manual without receivers; add destinations=host:port,host:port.");
        }
        return MANUAL;
    }
}
