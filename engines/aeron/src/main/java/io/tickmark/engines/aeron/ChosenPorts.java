package io.tickmark.engines.aeron;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the ports that were left to choose. It is done here and not by the driver, because a
 * driver recognises an address only by its text: a binding side that is reopened while its
 * publication lingers would find its own port in use, and each topic of a subscriber would have a
 * separate socket.
 */
public final class ChosenPorts {
    private ChosenPorts() {}

    /**
     * Unused ports of the loopback interface, all different.
     *
     * @param count how many
     * @return the ports
     */
    public static List<Integer> onLoopback(final int count) {
        final List<Integer> ports = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ports.add(FreePort.udp(InetAddress.getLoopbackAddress()));
            }
            return ports;
        } catch (final IOException e) {
            throw UserError.environment("No port is available on the loopback interface.", e);
        }
    }

    /** For the sending end of a one-way stream, which owns a group or a control address. */
    static AeronChannel ofPublication(final AeronChannel channel) {
        return switch (channel.kind()) {
            case MULTICAST, DYNAMIC -> withPort(channel);
            case IPC, UNICAST, ENDPOINT, MANUAL -> channel;
        };
    }

    /** For the receiving end of a one-way stream, which owns a group or its endpoint. */
    static AeronChannel ofSubscription(final AeronChannel channel) {
        return switch (channel.kind()) {
            case MULTICAST, UNICAST, ENDPOINT -> withPort(channel);
            case DYNAMIC -> withReceiver(channel);
            case IPC, MANUAL -> channel;
        };
    }

    /** For the connecting side of an exchange, which receives on its own port. */
    static AeronChannel ofConnect(final AeronChannel channel) {
        return switch (channel.kind()) {
            case ENDPOINT, DYNAMIC -> withReceiver(channel);
            case IPC, UNICAST, MULTICAST, MANUAL -> channel;
        };
    }

    /** For the binding side of an exchange, which owns the address and that for replies. */
    static AeronChannel ofBind(final AeronChannel channel) {
        return switch (channel.kind()) {
            case IPC -> channel;
            case MULTICAST -> withPort(channel);
            case MANUAL -> withReplyPort(channel);
            case UNICAST -> withReceiverPort(withReplyPort(channel));
            case ENDPOINT, DYNAMIC -> withPort(withReplyPort(channel));
        };
    }

    private static AeronChannel withPort(final AeronChannel channel) {
        return channel.address().port() == 0
                ? channel.withPort(freePort(channel, channel.address()))
                : channel;
    }

    /** The receiver's own port can be chosen here where it is on this machine for certain. */
    private static AeronChannel withReceiverPort(final AeronChannel channel) {
        if (channel.address().port() == 0 && !channel.address().isLoopback()) {
            throw channel.refused(
                    "has port 0, which only the subscriber's machine can choose; give the port of its endpoint.");
        }
        return withPort(channel);
    }

    private static AeronChannel withReceiver(final AeronChannel channel) {
        if (channel.hasReceiver() || channel.address().port() == 0) {
            return channel;
        }
        final HostAndPort any = channel.address().receiver();
        return channel.withReceiver(any.withPort(freePort(channel, any)));
    }

    private static AeronChannel withReplyPort(final AeronChannel channel) {
        final HostAndPort replies = Route.replyAddress(channel);
        return replies.port() == 0
                ? channel.withReplies(replies.withPort(freePort(channel, replies)))
                : channel;
    }

    private static int freePort(final AeronChannel channel, final HostAndPort address) {
        try {
            return FreePort.udp(
                    address.isMulticast()
                            ? new InetSocketAddress(0).getAddress()
                            : InetAddress.getByName(address.bareHost()));
        } catch (final IOException e) {
            throw UserError.environment(
                    "--channel '%s': no port is available on %s; give an address of this machine."
                            .formatted(channel.uri(), address.host()),
                    e);
        }
    }
}
