package io.tickmark.workloads.feed.client;

import io.tickmark.workloads.feed.session.WebSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Selector;
import org.agrona.concurrent.UnsafeBuffer;

/** A client on a WebSocket (RFC 6455), which carries its acknowledgements too. */
final class SocketClient extends Client {
    private static final int ACK_BYTES = 16;
    private static final int LENGTH_MASK = 0x7f;
    private static final int SHORT_FOLLOWS = 126;
    private static final String UPGRADE =
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGlja21hcmsgY2xpZW50IQ==\r\n";

    private final FrameSink sink;
    private final Link link;
    private final ResponseHead head = new ResponseHead();
    private final ByteBuffer out = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

    SocketClient(
            final ClientPlan plan,
            final ClientSession session,
            final FrameSink sink,
            final Selector selector)
            throws IOException {
        super(plan, session);
        this.sink = sink;
        link = new Link(plan.server(), selector, this);
        link.request("GET", plan.path(), UPGRADE);
    }

    @Override
    boolean read(final ReadBuffer shared) throws IOException {
        final int end = link.read(shared);
        if (end < 0) {
            return false;
        }
        final long nowNs = shared.clock().nanoTime();
        link.keep(shared.buffer(), parse(shared.buffer(), end, nowNs), end);
        return true;
    }

    private int parse(final UnsafeBuffer buffer, final int end, final long nowNs)
            throws IOException {
        int at = head.isWhole() ? 0 : head.read(buffer, 0, end);
        while (head.isWhole() && end - at >= 2) {
            int length = buffer.getByte(at + 1) & LENGTH_MASK;
            int begin = 2;
            if (length == SHORT_FOLLOWS) {
                if (end - at < WebSocket.MAX_HEADER) {
                    break;
                }
                length = buffer.getShort(at + 2, ByteOrder.BIG_ENDIAN) & 0xffff;
                begin = WebSocket.MAX_HEADER;
            }
            if (end - at < begin + length) {
                break;
            }
            if ((buffer.getByte(at) & 0x0f) <= WebSocket.BINARY) {
                sink.onFrame(session, buffer, at + begin, length, nowNs);
            }
            at += begin + length;
        }
        return at;
    }

    @Override
    void acknowledge() {
        out.clear();
        out.put((byte) (0x80 | WebSocket.BINARY)).put((byte) (0x80 | ACK_BYTES));
        out.putInt(0); // a mask of zeros: it hides scripts from proxies, and here is neither
        out.putLong(session.lastFrame()).putLong(session.lastOrdinal());
        write();
        session.acknowledged();
    }

    @Override
    void finish() {
        out.clear();
        out.put((byte) (0x80 | WebSocket.BINARY)).put((byte) (0x80 | 1)).putInt(0).put((byte) 1);
        write();
    }

    private void write() {
        try {
            link.write(out.flip());
        } catch (final IOException e) {
            broke("the connection broke: " + e.getMessage());
        }
    }

    @Override
    void close() {
        link.close();
    }
}
