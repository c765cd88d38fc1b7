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

final class TcpFrameFuzzTest {
    private static final int LIMIT = 3;

    @FuzzTest(maxDuration = "1m")
    void shouldHandOverWholeFramesOrBreakTheConnection(final byte[] bytes) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel peer = SocketChannel.open(server.getLocalAddress());
                    SocketChannel socket = server.accept()) {
                peer.write(ByteBuffer.wrap(bytes));
                peer.shutdownOutput();
                final TcpConnection connection =
                        new TcpConnection(socket, new Framing.ByLength(), 0, Optional.empty());
                final long[] handedBytes = {0};
                while (!connection.isBroken()) {
                    connection.read(
                            (buffer, offset, length) -> {
                                buffer.checkLimit(offset + length);
                                handedBytes[0] += Integer.BYTES + length;
                            },
                            LIMIT);
                }
                assertThat(handedBytes[0]).isLessThanOrEqualTo(bytes.length);
            }
        }
    }
}
