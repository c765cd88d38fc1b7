package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.WebSocket;
import io.tickmark.workloads.feed.source.FeedClock;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;

/**
 * Answers each message of 8 bytes with the same 8 and the time after the feed's epoch: from many
 * such round trips a client learns the offset of its clock, and a bound on its error.
 */
final class ClockSocket implements FrameReader.Listener {
    private static final int PAYLOAD = 2 * Long.BYTES;

    private final StreamConnection connection;
    private final FeedClock time;

    private ClockSocket(final StreamConnection connection, final FeedClock time) {
        this.connection = connection;
        this.time = time;
    }

    static void open(final HttpServerExchange exchange, final FeedClock time) {
        WebSocketUpgrade.upgrade(
                exchange,
                connection ->
                        new SocketIntake(
                                        time.clock(),
                                        new FrameReader(new ClockSocket(connection, time)),
                                        _ -> IoUtils.safeClose(connection))
                                .attach(connection));
    }

    @Override
    public void onMessage(final ByteBuffer payload) {
        if (payload.remaining() != Long.BYTES) {
            IoUtils.safeClose(connection);
            return;
        }
        final ByteBuffer answer =
                ByteBuffer.allocate(PAYLOAD)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(payload)
                        .putLong(time.nowNs())
                        .flip();
        write(ClientFrames.frame(WebSocket.BINARY, answer));
    }

    /** A client that does not read its answers has no use for them. */
    private void write(final byte[] frame) {
        try {
            if (connection.getSinkChannel().write(ByteBuffer.wrap(frame)) < frame.length) {
                IoUtils.safeClose(connection);
            }
        } catch (final IOException _) {
            IoUtils.safeClose(connection);
        }
    }

    @Override
    public void onPing(final ByteBuffer payload) {
        write(ClientFrames.frame(WebSocket.PONG, payload));
    }

    @Override
    public void onClose() {
        IoUtils.safeClose(connection);
    }
}
