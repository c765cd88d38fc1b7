package io.tickmark.transport.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;

/** Options of stream sockets. */
final class TcpSockets {
    private TcpSockets() {}

    static void prepare(final SocketChannel socket, final TcpParameters parameters)
            throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, parameters.noDelay());
        if (parameters.sendBufferBytes() > 0) {
            socket.setOption(StandardSocketOptions.SO_SNDBUF, parameters.sendBufferBytes());
        }
        if (parameters.receiveBufferBytes() > 0) {
            socket.setOption(StandardSocketOptions.SO_RCVBUF, parameters.receiveBufferBytes());
        }
    }

    static Map<String, Object> facts(final SocketChannel socket) {
        try {
            return Map.of(
                    "noDelay", socket.getOption(StandardSocketOptions.TCP_NODELAY),
                    "sendBufferBytes", socket.getOption(StandardSocketOptions.SO_SNDBUF),
                    "receiveBufferBytes", socket.getOption(StandardSocketOptions.SO_RCVBUF));
        } catch (final IOException e) {
            // Closed by the other side meanwhile: nothing to report.
            return Map.of();
        }
    }
}
