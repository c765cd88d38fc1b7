package io.tickmark.transport.tcp;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;

/** The side that listens. */
final class TcpListener extends TcpPeers {
    private final ServerSocketChannel server;
    private final ChannelUri channel;

    private TcpListener(
            final ServerSocketChannel server,
            final ChannelUri channel,
            final TcpParameters parameters,
            final NanoClock clock) {
        super(parameters, clock);
        this.server = server;
        this.channel = channel;
    }

    static TcpListener open(
            final ChannelUri channel, final TcpParameters parameters, final NanoClock clock) {
        final HostPort wanted = HostPort.of(channel);
        ServerSocketChannel server = null;
        try {
            server = ServerSocketChannel.open();
            server.configureBlocking(false);
            // A listener restarted at once would otherwise wait for its old connections to expire.
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            if (parameters.receiveBufferBytes() > 0) {
                // Set before connections come, or the window stays small (tcp(7)).
                server.setOption(StandardSocketOptions.SO_RCVBUF, parameters.receiveBufferBytes());
            }
            server.bind(wanted.socketAddress(), MAX_CONNECTIONS);
            final int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            final TcpListener listener =
                    new TcpListener(
                            server,
                            channel.withAuthority(wanted.withPort(port).authority()),
                            parameters,
                            clock);
            server.register(listener.selector(), SelectionKey.OP_ACCEPT);
            return listener;
        } catch (final IOException e) {
            CloseHelper.quietClose(server);
            throw UserError.environment(
                    "--channel "
                            + channel
                            + ": cannot listen on "
                            + wanted.authority()
                            + " ("
                            + e.getMessage()
                            + "); choose a free port, or 0 to have one chosen, and an address of this machine.",
                    e);
        }
    }

    @Override
    void admit() {
        // Asking the selector allocates nothing, asking the server socket does.
        select(0);
    }

    @Override
    void onReady(final SelectionKey key) {
        if (key.channel() == server) {
            accept();
        }
    }

    private void accept() {
        try {
            for (SocketChannel socket = server.accept(); socket != null; socket = server.accept()) {
                add(socket);
            }
        } catch (final IOException e) {
            // The one that came has left again, or the process has no descriptors: the next look
            // tries again, and the sides that are connected go on.
            countRefused();
        }
    }

    @Override
    ChannelUri channel() {
        return channel;
    }

    @Override
    void closeOwn() {
        CloseHelper.quietClose(server);
    }
}
