package io.tickmark.workloads.feed.client;

import io.tickmark.workloads.feed.session.WebSocket;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One client on a WebSocket: reads frames out of a buffer that all clients of the thread share, and
 * keeps only what is not whole yet.
 */
final class Client {
    private static final int HEADER_END = 4;
    private static final int ACK_BYTES = 16;
    private static final int LENGTH_MASK = 0x7f;
    private static final int SHORT_FOLLOWS = 126;
    private static final String KEY = "dGlja21hcmsgY2xpZW50IQ==";

    private final ClientPlan plan;
    private final ClientSession session;
    private final FrameSink sink;
    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    private byte[] rest = new byte[0];
    private int restLength;
    private boolean isUpgraded;

    /** Takes the payload of a frame. */
    interface FrameSink {
        void onFrame(
                ClientSession session, UnsafeBuffer buffer, int offset, int length, long nowNs);
    }

    Client(
            final ClientPlan plan,
            final ClientSession session,
            final FrameSink sink,
            final Selector selector)
            throws IOException {
        this.plan = plan;
        this.session = session;
        this.sink = sink;
        channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(plan.address());
        channel.write(ByteBuffer.wrap(request().getBytes(StandardCharsets.US_ASCII)));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    private String request() {
        return ("GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n")
                .formatted(
                        plan.path(), plan.address().getHostString(), plan.address().getPort(), KEY);
    }

    ClientSession session() {
        return session;
    }

    /** Reads what is there; the clock is read after the read. */
    void onReadable(final ReadBuffer shared) {
        try {
            final ByteBuffer bytes = shared.bytes();
            bytes.clear().put(rest, 0, restLength);
            final int count = channel.read(bytes);
            if (count < 0) {
                session.broke("the server closed the connection");
                close();
                return;
            }
            final long nowNs = shared.clock().nanoTime();
            final int end = bytes.position();
            keep(shared.buffer(), parse(shared.buffer(), end, nowNs), end);
            if (session.isToAcknowledge(plan)) {
                acknowledge();
            }
        } catch (final IOException e) {
            session.broke("the connection broke: " + e.getMessage());
            close();
        }
    }

    private int parse(final UnsafeBuffer buffer, final int end, final long nowNs)
            throws IOException {
        int at = isUpgraded ? 0 : upgrade(buffer, end);
        while (isUpgraded && end - at >= 2) {
            int length = buffer.getByte(at + 1) & LENGTH_MASK;
            int head = 2;
            if (length == SHORT_FOLLOWS) {
                if (end - at < WebSocket.MAX_HEADER) {
                    break;
                }
                length = buffer.getShort(at + 2, ByteOrder.BIG_ENDIAN) & 0xffff;
                head = WebSocket.MAX_HEADER;
            }
            if (end - at < head + length) {
                break;
            }
            if ((buffer.getByte(at) & 0x0f) <= WebSocket.BINARY) {
                sink.onFrame(session, buffer, at + head, length, nowNs);
            }
            at += head + length;
        }
        return at;
    }

    /** The answer to the handshake; gives where frames begin, 0 where it is not whole. */
    private int upgrade(final UnsafeBuffer buffer, final int end) throws IOException {
        final String text = buffer.getStringWithoutLengthAscii(0, end);
        final int headEnd = text.indexOf("\r\n\r\n");
        if (headEnd < 0) {
            return 0;
        }
        if (!text.startsWith("HTTP/1.1 101 ")) {
            throw new IOException(text.lines().findFirst().orElse("no answer"));
        }
        isUpgraded = true;
        return headEnd + HEADER_END;
    }

    private void keep(final UnsafeBuffer buffer, final int from, final int to) {
        restLength = to - from;
        if (rest.length < restLength) {
            rest = new byte[restLength * 2];
        }
        buffer.getBytes(from, rest, 0, restLength);
    }

    void acknowledge() {
        out.clear();
        out.put((byte) (0x80 | WebSocket.BINARY)).put((byte) (0x80 | ACK_BYTES));
        out.putInt(0); // a mask of zeros: it hides scripts from proxies, and here is neither
        out.putLong(session.lastFrame()).putLong(session.lastOrdinal());
        write();
        session.acknowledged();
    }

    /** Asks for the end. */
    void finish() {
        out.clear();
        out.put((byte) (0x80 | WebSocket.BINARY)).put((byte) (0x80 | 1)).putInt(0).put((byte) 1);
        write();
    }

    private void write() {
        try {
            out.flip();
            while (out.hasRemaining() && channel.write(out) > 0) {
                // a few bytes into an empty socket buffer
            }
        } catch (final IOException e) {
            session.broke("the connection broke: " + e.getMessage());
            close();
        }
    }

    void close() {
        try {
            channel.close();
        } catch (final IOException _) {
            // it is gone in any case
        }
    }
}
