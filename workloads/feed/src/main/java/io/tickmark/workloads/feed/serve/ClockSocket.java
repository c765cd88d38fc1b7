package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.WebSocket;
import io.tickmark.workloads.feed.source.FeedClock;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Answers each message of 8 bytes with the same 8 and the time after the feed's epoch: from many
 * such round trips a client learns the offset of its clock, and a bound on its error.
 */
final class ClockSocket implements FrameReader.Listener {
    private static final int PAYLOAD = 2 * Long.BYTES;
    private static final Ending NO_QUESTION =
            new Ending(Ending.Kind.MISBEHAVED, "it sent what is no question for the time");

    private final SocketOutlet outlet;
    private final FeedClock time;

    private ClockSocket(final SocketOutlet outlet, final FeedClock time) {
        this.outlet = outlet;
        this.time = time;
    }

    static void open(
            final HttpServerExchange exchange, final FeedClock time, final Goodbyes goodbyes) {
        WebSocketUpgrade.upgrade(
                exchange,
                connection -> {
                    final SocketOutlet outlet = new SocketOutlet(connection, goodbyes);
                    goodbyes.add(outlet);
                    new SocketIntake(
                                    time.clock(),
                                    new FrameReader(new ClockSocket(outlet, time)),
                                    ending -> leave(outlet, ending))
                            .attach(connection);
                });
    }

    /** Who left, or is gone, is not told; who has been told has answered. */
    private static void leave(final SocketOutlet outlet, final Ending ending) {
        if (outlet.isLeaving() || ending.kind() == Ending.Kind.BROKEN) {
            outlet.close();
        } else {
            outlet.close(ending);
        }
    }

    @Override
    public void onMessage(final ByteBuffer payload) {
        if (payload.remaining() != Long.BYTES) {
            outlet.close(NO_QUESTION);
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

    /** A client that does not read its answers has no use for them: its clock says so by itself. */
    private void write(final byte[] frame) {
        try {
            final ByteBuffer bytes = ByteBuffer.wrap(frame);
            outlet.write(bytes);
            if (bytes.hasRemaining()) {
                outlet.close();
            }
        } catch (final IOException _) {
            outlet.close();
        }
    }

    @Override
    public void onPing(final ByteBuffer payload) {
        write(ClientFrames.frame(WebSocket.PONG, payload));
    }

    @Override
    public void onClose() {
        leave(outlet, Ending.CLIENT_CLOSED);
    }
}
