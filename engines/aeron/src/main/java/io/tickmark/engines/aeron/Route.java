package io.tickmark.engines.aeron;

import io.aeron.ChannelUriStringBuilder;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.transport.ExchangeSide;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where one side of an exchange sends and listens, as Aeron's channels.
 *
 * <p>The BIND side owns one address, yet any number of CONNECT sides join it: so an endpoint
 * becomes the control address of a dynamic multi-destination publication, and replies are received
 * at an address next to it. With {@code unicast} the endpoint is that of the one CONNECT side, and
 * the publication Aeron's plain one, whose socket is connected. On ipc and multicast both
 * directions share the channel and differ by stream.
 *
 * @param publish channel of the publication
 * @param subscribe channel of the subscription
 * @param destinations channels to add to the publication
 */
record Route(String publish, String subscribe, List<String> destinations) {
    private static final String MIN_FLOW_CONTROL = "min";
    private static final String DYNAMIC_MODE = "dynamic";
    private static final String MANUAL_MODE = "manual";
    private static final String NO_REPLY_ADDRESS =
            "does not say where replies go; give replyEndpoint=host:port of the publishing side.";
    private static final int MAX_PORT = 65_535;

    static Route of(final AeronChannel channel, final ExchangeSide side, final int cookie) {
        if (side == ExchangeSide.CONNECT && channel.kind() == ChannelKind.MULTICAST) {
            requirePort(channel);
        }
        return switch (channel.kind()) {
            case IPC ->
                    new Route(
                            text(channel, channel.aeron()),
                            text(channel, channel.aeron()),
                            List.of());
            case MULTICAST ->
                    new Route(toGroup(channel), text(channel, channel.aeron()), List.of());
            case UNICAST ->
                    side == ExchangeSide.BIND
                            ? new Route(toEndpoint(channel), hearReplies(channel), List.of())
                            : new Route(reply(channel), asOnlyReceiver(channel, cookie), List.of());
            case ENDPOINT, DYNAMIC ->
                    side == ExchangeSide.BIND
                            ? new Route(dynamic(channel), hearReplies(channel), List.of())
                            : new Route(reply(channel), joinDynamic(channel), List.of());
            case MANUAL ->
                    side == ExchangeSide.BIND
                            ? new Route(
                                    manual(channel), hearReplies(channel), destinations(channel))
                            : new Route(reply(channel), atDestination(channel, cookie), List.of());
        };
    }

    /** The sending end of a one-way stream, as Aeron itself defines it. */
    static Route ofPublication(final AeronChannel channel) {
        final String publish =
                switch (channel.kind()) {
                    case IPC -> text(channel, channel.aeron());
                    case UNICAST, ENDPOINT -> toEndpoint(channel);
                    case MULTICAST -> toGroup(channel);
                    case DYNAMIC -> dynamic(channel);
                    case MANUAL -> manual(channel);
                };
        return new Route(
                publish,
                "",
                channel.kind() == ChannelKind.MANUAL ? destinations(channel) : List.of());
    }

    /** The receiving end of a one-way stream, as Aeron itself defines it. */
    static Route ofSubscription(final AeronChannel channel) {
        final String subscribe =
                switch (channel.kind()) {
                    case IPC, UNICAST, ENDPOINT, MULTICAST -> text(channel, channel.aeron());
                    case DYNAMIC -> joinDynamic(channel);
                    case MANUAL -> atDestination(channel, 1);
                };
        return new Route("", subscribe, List.of());
    }

    private static String toEndpoint(final AeronChannel channel) {
        if (channel.address().port() == 0) {
            throw channel.refused(
                    "has port 0, but its subscription chooses the port; open that first and give its channel.");
        }
        return text(channel, channel.aeron());
    }

    private static void requirePort(final AeronChannel channel) {
        if (channel.address().port() == 0) {
            throw channel.refused(
                    "has port 0, but the other side chooses the port; give the channel that it printed.");
        }
    }

    private static String toGroup(final AeronChannel channel) {
        final Map<String, String> parameters = new TreeMap<>(channel.aeron());
        parameters.putIfAbsent(AeronChannel.FLOW_CONTROL, MIN_FLOW_CONTROL);
        return text(channel, parameters);
    }

    private static String dynamic(final AeronChannel channel) {
        final Map<String, String> parameters = new TreeMap<>(channel.aeron());
        parameters.remove(AeronChannel.ENDPOINT);
        parameters.put(AeronChannel.CONTROL, channel.address().toString());
        parameters.put(AeronChannel.CONTROL_MODE, DYNAMIC_MODE);
        parameters.putIfAbsent(AeronChannel.FLOW_CONTROL, MIN_FLOW_CONTROL);
        return text(channel, parameters);
    }

    private static String joinDynamic(final AeronChannel channel) {
        requirePort(channel);
        return text(channel, channel.aeron());
    }

    private static String manual(final AeronChannel channel) {
        final Map<String, String> parameters = new TreeMap<>(channel.aeron());
        parameters.remove(AeronChannel.ENDPOINT);
        parameters.put(AeronChannel.CONTROL_MODE, MANUAL_MODE);
        parameters.putIfAbsent(AeronChannel.FLOW_CONTROL, MIN_FLOW_CONTROL);
        return text(channel, parameters);
    }

    private static List<String> destinations(final AeronChannel channel) {
        return channel.own().destinations().stream()
                .map(address -> "aeron:udp?endpoint=" + address)
                .toList();
    }

    private static String atDestination(final AeronChannel channel, final int cookie) {
        final List<String> destinations = channel.own().destinations();
        if (cookie > destinations.size()) {
            throw channel.refused(
                    "has %s, but this is subscriber %d; give one for each."
                            .formatted(Plural.of(destinations.size(), "destination"), cookie));
        }
        return text(channel, pointToPoint(channel, destinations.get(cookie - 1)));
    }

    private static String asOnlyReceiver(final AeronChannel channel, final int cookie) {
        requirePort(channel);
        if (cookie > 1) {
            throw channel.refused(
                    "is unicast to one subscriber, but this is subscriber %d; leave unicast out to reach several."
                            .formatted(cookie));
        }
        return text(channel, channel.aeron());
    }

    private static String hearReplies(final AeronChannel channel) {
        return text(channel, pointToPoint(channel, replyAddress(channel).toString()));
    }

    private static String reply(final AeronChannel channel) {
        final HostAndPort address = replyAddress(channel);
        if (address.port() == 0) {
            throw channel.refused(
                    "does not say where replies go; give the channel that the publishing side printed, or a port.");
        }
        return text(channel, pointToPoint(channel, address.toString()));
    }

    private static Map<String, String> pointToPoint(
            final AeronChannel channel, final String endpoint) {
        final Map<String, String> parameters = new TreeMap<>(channel.aeron());
        parameters.remove(AeronChannel.CONTROL);
        parameters.remove(AeronChannel.CONTROL_MODE);
        parameters.remove(AeronChannel.FLOW_CONTROL);
        parameters.put(AeronChannel.ENDPOINT, endpoint);
        return parameters;
    }

    /** Where replies are received: as given, or next to the address of the channel. */
    static HostAndPort replyAddress(final AeronChannel channel) {
        if (!channel.own().replyEndpoint().isEmpty()) {
            return HostAndPort.parse(
                    channel.own().replyEndpoint(),
                    "--channel " + channel.uri() + ": replyEndpoint");
        }
        if (channel.kind() == ChannelKind.MANUAL
                && !channel.aeron().containsKey(AeronChannel.CONTROL)) {
            return replyBesideDestinations(channel);
        }
        final HostAndPort address = channel.address();
        if (channel.kind() == ChannelKind.UNICAST && !address.isLoopback()) {
            throw channel.refused(NO_REPLY_ADDRESS);
        }
        if (address.port() == MAX_PORT) {
            throw channel.refused(
                    "has the last port, so that none is left beside it for replies; give replyEndpoint=host:port.");
        }
        return address.port() == 0 ? address : address.withPort(address.port() + 1);
    }

    private static HostAndPort replyBesideDestinations(final AeronChannel channel) {
        final HostAndPort first =
                HostAndPort.parse(
                        channel.own().destinations().getFirst(),
                        "--channel " + channel.uri() + ": destinations");
        if (!first.isLoopback()) {
            throw channel.refused(NO_REPLY_ADDRESS);
        }
        return first.withPort(0);
    }

    private static String text(final AeronChannel channel, final Map<String, String> parameters) {
        final String medium =
                parameters.containsKey(AeronChannel.ENDPOINT)
                                || parameters.containsKey(AeronChannel.CONTROL_MODE)
                        ? "udp"
                        : "ipc";
        final String text =
                new TreeMap<>(parameters)
                        .entrySet().stream()
                                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                                .collect(Collectors.joining("|", "aeron:" + medium + "?", ""));
        try {
            new ChannelUriStringBuilder(text); // reads and checks each value
        } catch (final IllegalArgumentException | IllegalStateException e) {
            throw channel.refused("is refused by Aeron: " + ErrorNotes.ended(e));
        }
        return text;
    }
}
