package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.WebSocket;
import java.nio.ByteBuffer;

/**
 * Reads the frames that a client sends (RFC 6455, section 5.2): masked, whole, at most 125 bytes,
 * which is more than any of ours has. Anything else ends the connection. Single-threaded.
 */
final class FrameReader {
    /** Longest payload of a frame that a client may send. */
    static final int MAX_PAYLOAD = 125;

    private static final int MASK_BYTES = 4;
    private static final int HEAD = 2 + MASK_BYTES;
    private static final int FINAL = 0x80;
    private static final int RESERVED = 0x70;
    private static final int OPCODE = 0x0f;
    private static final int MASKED = 0x80;
    private static final int LENGTH = 0x7f;

    /** The content of frames. */
    interface Listener {
        /** A binary frame. */
        void onMessage(ByteBuffer payload);

        /** A ping, to be answered with the same bytes. */
        void onPing(ByteBuffer payload);

        /** The client closes, or answers that we did. */
        void onClose();
    }

    private final byte[] frame = new byte[HEAD + MAX_PAYLOAD];
    private final Listener listener;
    private int filled;
    private Ending.Kind kind = Ending.Kind.PROTOCOL;

    FrameReader(final Listener listener) {
        this.listener = listener;
    }

    /** How to end a client for which {@link #read} returned a reason. */
    Ending.Kind kind() {
        return kind;
    }

    /** Handles the bytes read; returns a reason to close, empty where there is none. */
    String read(final ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            frame[filled++] = bytes.get();
            if (filled == 2) {
                final String reason = refuse();
                if (!reason.isEmpty()) {
                    return reason;
                }
            }
            if (filled >= 2 && filled == HEAD + (frame[1] & LENGTH)) {
                deliver();
                filled = 0;
            }
        }
        return "";
    }

    private String refuse() {
        final int opcode = frame[0] & OPCODE;
        if ((frame[0] & FINAL) == 0 || (frame[0] & RESERVED) != 0) {
            return "it sent a fragmented frame, or one with reserved bits";
        }
        if ((frame[1] & MASKED) == 0) {
            return "it sent a frame without a mask";
        }
        if ((frame[1] & LENGTH) > MAX_PAYLOAD) {
            kind = Ending.Kind.TOO_LONG;
            return "it sent a frame of more than 125 bytes";
        }
        return switch (opcode) {
            case WebSocket.BINARY, WebSocket.PING, WebSocket.PONG, WebSocket.CLOSE -> "";
            default -> "it sent a frame of an unknown kind";
        };
    }

    private void deliver() {
        final int length = frame[1] & LENGTH;
        for (int i = 0; i < length; i++) {
            frame[HEAD + i] ^= frame[2 + (i & 3)];
        }
        final ByteBuffer payload = ByteBuffer.wrap(frame, HEAD, length).slice();
        switch (frame[0] & OPCODE) {
            case WebSocket.BINARY -> listener.onMessage(payload);
            case WebSocket.PING -> listener.onPing(payload);
            case WebSocket.CLOSE -> listener.onClose();
            default -> {} // an unsolicited pong
        }
    }
}
