package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.Session;
import io.tickmark.workloads.feed.session.WebSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Messages of a client over its WebSocket. An acknowledgement is 16 bytes, little-endian: number of
 * the last frame, number of the last message. One byte requests the end, with figures.
 */
final class ClientFrames implements FrameReader.Listener {
    /** Bytes of an acknowledgement. */
    static final int ACKNOWLEDGEMENT = 16;

    private static final Ending NO_ACKNOWLEDGEMENT =
            new Ending(Ending.Kind.MISBEHAVED, "it sent something that is not an acknowledgement");

    private final AtomicReference<Session> session;
    private final SocketOutlet outlet;

    ClientFrames(final AtomicReference<Session> session, final SocketOutlet outlet) {
        this.session = session;
        this.outlet = outlet;
    }

    @Override
    public void onMessage(final ByteBuffer payload) {
        payload.order(ByteOrder.LITTLE_ENDIAN);
        if (payload.remaining() == ACKNOWLEDGEMENT) {
            session.get().acknowledge(payload.getLong(), payload.getLong());
        } else if (payload.remaining() == 1) {
            session.get().finish();
        } else {
            session.get().requestEnd(NO_ACKNOWLEDGEMENT);
        }
    }

    @Override
    public void onPing(final ByteBuffer payload) {
        session.get().leave(frame(WebSocket.PONG, payload));
    }

    @Override
    public void onClose() {
        if (outlet.isLeaving()) {
            outlet.close();
        } else {
            session.get().requestEnd(Ending.CLIENT_CLOSED);
        }
    }

    /** A whole control frame. */
    static byte[] frame(final int opcode, final ByteBuffer payload) {
        final byte[] frame = new byte[2 + payload.remaining()];
        frame[0] = (byte) (0x80 | opcode);
        frame[1] = (byte) payload.remaining();
        payload.get(frame, 2, frame.length - 2);
        return frame;
    }
}
