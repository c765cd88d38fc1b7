package io.tickmark.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;

final class WebSocketFuzzTest {
    private static final int LIMIT = 3;

    /** The first byte says which side is looked at. */
    @FuzzTest(maxDuration = "1m")
    void shouldHandOverWholeMessagesOrBreakTheConnection(final byte[] bytes) throws IOException {
        final boolean isClient = bytes.length > 0 && (bytes[0] & 1) == 1;
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel peer = SocketChannel.open(server.getLocalAddress());
                    SocketChannel socket = server.accept()) {
                peer.write(
                        ByteBuffer.wrap(
                                bytes,
                                Math.min(1, bytes.length),
                                bytes.length - Math.min(1, bytes.length)));
                peer.shutdownOutput();
                final TcpConnection connection =
                        new TcpConnection(
                                socket,
                                new WebSocketTransport.WebSocketFraming(
                                        isClient, "127.0.0.1:1", "/"),
                                0,
                                Optional.empty());
                final long[] handedBytes = {0};
                while (!connection.isBroken()) {
                    if (connection.open()) {
                        connection.read(
                                (buffer, offset, length) -> {
                                    buffer.checkLimit(offset + length);
                                    handedBytes[0] += length;
                                },
                                LIMIT);
                    }
                }
                assertThat(handedBytes[0]).isLessThanOrEqualTo(bytes.length);
            }
        }
    }
}
