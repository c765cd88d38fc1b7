package io.tickmark.workloads.market.rssl;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ChannelInfo;
import com.refinitiv.eta.transport.ConnectionTypes;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * Which side sends first on a WebSocket of the binary protocol. The library's client ends its
 * handshake with a key and sends the login right after it; where its server reads both at once, it
 * unmasks the head of the login with the key's mask, and the login is lost (3.9.1.0, {@code
 * WSProtocolFunctions.initChnlReadFromChannelProvider}). So servers of tickmark send a ping once
 * they have the key, and clients wait for it before they log in; of other servers, which send
 * nothing, they wait a moment. Stateless, any thread.
 */
public final class FirstSender {
    /** The name of servers of tickmark in the handshake. */
    static final String COMPONENT = "tickmark";

    private static final long OWN_SERVER_MS = 5_000;
    private static final long OTHER_SERVER_MS = 100;

    private FirstSender() {}

    /**
     * Announces that the handshake is over; called by a server when a connection is open. The
     * library does not report to a server what runs inside TLS: there its settings decide.
     *
     * @param channel of a client
     * @param settings of the server
     */
    public static void say(final ReactorChannel channel, final ConnectionSettings settings) {
        if (isMeant(channel)
                || isBinary(channel)
                        && isEncrypted(channel.channel())
                        && settings.connection().isWebSocket()) {
            channel.channel().ping(TransportFactory.createError());
        }
    }

    /**
     * Waits until the server has ended the handshake; for a client, when a connection is up and
     * before its login is sent.
     *
     * @param channel to a server
     */
    public static void await(final ReactorChannel channel) {
        if (!isMeant(channel)) {
            return;
        }
        final SelectableChannel socket = channel.selectableChannel();
        try (Selector selector = Selector.open()) {
            socket.register(selector, SelectionKey.OP_READ);
            selector.select(isOwn(channel) ? OWN_SERVER_MS : OTHER_SERVER_MS);
        } catch (final IOException _) {
            // the connection is gone: its channel-down event is on the way
        }
    }

    private static boolean isMeant(final ReactorChannel channel) {
        return isBinary(channel) && isWebSocket(channel.channel());
    }

    private static boolean isBinary(final ReactorChannel channel) {
        return channel.protocolType() == Codec.RWF_PROTOCOL_TYPE && channel.channel() != null;
    }

    private static boolean isWebSocket(final Channel channel) {
        return channel.connectionType() == ConnectionTypes.WEBSOCKET
                || isEncrypted(channel)
                        && channel.encryptedConnectionType() == ConnectionTypes.WEBSOCKET;
    }

    private static boolean isEncrypted(final Channel channel) {
        return channel.connectionType() == ConnectionTypes.ENCRYPTED;
    }

    private static boolean isOwn(final ReactorChannel channel) {
        final ChannelInfo info = TransportFactory.createChannelInfo();
        channel.channel().info(info, TransportFactory.createError());
        return info.componentInfo() != null
                && info.componentInfo().stream()
                        .anyMatch(each -> each.componentVersion().toString().contains(COMPONENT));
    }
}
