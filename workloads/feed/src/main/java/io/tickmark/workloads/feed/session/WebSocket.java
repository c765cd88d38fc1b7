package io.tickmark.workloads.feed.session;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.MutableDirectBuffer;

/** Frames that a server sends (RFC 6455, section 5.2): unmasked, whole. */
public final class WebSocket {
    /** Opcode of a text frame. */
    public static final int TEXT = 1;

    /** Opcode of a binary frame. */
    public static final int BINARY = 2;

    /** Opcode of a close frame. */
    public static final int CLOSE = 8;

    /** Opcode of a ping. */
    public static final int PING = 9;

    /** Opcode of a pong. */
    public static final int PONG = 10;

    /** Bytes of the longest header of frames up to {@link #MAX_PAYLOAD}. */
    public static final int MAX_HEADER = 4;

    /** Longest payload that the server sends: limited by a 16-bit length. */
    public static final int MAX_PAYLOAD = 65_535;

    /** Longest payload whose length is in the second byte. */
    private static final int MAX_SHORT = 125;

    private static final int LENGTH_FOLLOWS = 126;
    private static final int FINAL = 0x80;

    private static final int MAX_CLOSE_REASON = MAX_SHORT - Short.BYTES;

    private WebSocket() {}

    /**
     * A frame that closes (RFC 6455, section 5.5.1).
     *
     * @param code status code
     * @param reason in words, cut where it is too long for a control frame
     * @return the whole frame
     */
    public static byte[] close(final int code, final String reason) {
        String cut = reason;
        while (cut.getBytes(StandardCharsets.UTF_8).length > MAX_CLOSE_REASON) {
            cut = cut.substring(0, cut.offsetByCodePoints(cut.length(), -1));
        }
        final byte[] words = cut.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + Short.BYTES + words.length)
                .put((byte) (FINAL | CLOSE))
                .put((byte) (Short.BYTES + words.length))
                .putShort((short) code)
                .put(words)
                .array();
    }

    /**
     * Puts the header before a payload that begins {@link #MAX_HEADER} bytes after the position. A
     * short payload moves towards its shorter header.
     *
     * @param out that holds the payload
     * @param position of the frame
     * @param payloadEnd where the payload ends
     * @param opcode of the frame
     * @return where the frame ends
     */
    public static int finish(
            final MutableDirectBuffer out,
            final int position,
            final int payloadEnd,
            final int opcode) {
        final int length = payloadEnd - position - MAX_HEADER;
        out.putByte(position, (byte) (FINAL | opcode));
        if (length <= MAX_SHORT) {
            out.putByte(position + 1, (byte) length);
            out.putBytes(position + 2, out, position + MAX_HEADER, length);
            return position + 2 + length;
        }
        out.putByte(position + 1, (byte) LENGTH_FOLLOWS);
        out.putShort(position + 2, (short) length, ByteOrder.BIG_ENDIAN);
        return payloadEnd;
    }
}
