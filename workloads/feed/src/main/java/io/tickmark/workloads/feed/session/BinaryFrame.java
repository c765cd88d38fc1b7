package io.tickmark.workloads.feed.session;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Frames of fixed records, every field little-endian and aligned.
 *
 * <pre>
 *  offset  bytes  field
 *       0      1  version, 1
 *       1      1  kind: 1 messages, 2 note
 *       2      2  bytes of one message; 0 in a note
 *       4      4  how many messages; in a note the bytes of its JSON, padded to a multiple of 8
 *       8      8  number of the frame in its connection, from 1; 0 in a note
 *      16      8  when it was written: ns after the feed's epoch
 *      24      8  number of the first message in the session, from 1
 *      32         messages, or JSON
 * </pre>
 */
public final class BinaryFrame implements FrameEncoder {
    /** Bytes before the first message. */
    public static final int HEAD = 32;

    /** The version written. */
    public static final int VERSION = 1;

    /** Kind of a frame of messages. */
    public static final int MESSAGES = 1;

    /** Kind of a note. */
    public static final int NOTE = 2;

    private static final int KIND_AT = 1;
    private static final int STRIDE_AT = 2;
    private static final int COUNT_AT = 4;
    private static final int FRAME_AT = 8;
    private static final int SENT_AT = 16;
    private static final int ORDINAL_AT = 24;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final FeedFraming framing;
    private final int messageBytes;
    private MutableDirectBuffer out;
    private int position;
    private int end;
    private int count;

    /**
     * An encoder.
     *
     * @param framing around each frame
     * @param messageBytes of each message
     */
    public BinaryFrame(final FeedFraming framing, final int messageBytes) {
        this.framing = framing;
        this.messageBytes = messageBytes;
    }

    /**
     * Bytes of the frame that begins there; its head must be whole.
     *
     * @param buffer that holds it
     * @param at where it begins
     * @return head, and messages or note
     */
    public static int lengthOf(final DirectBuffer buffer, final int at) {
        final int count = buffer.getInt(at + COUNT_AT, ORDER);
        return HEAD
                + (buffer.getByte(at + KIND_AT) == MESSAGES
                        ? (buffer.getShort(at + STRIDE_AT, ORDER) & 0xffff) * count
                        : count);
    }

    @Override
    public void begin(final MutableDirectBuffer buffer, final int at, final FrameHead head) {
        out = buffer;
        position = at;
        count = 0;
        final int payload = framing.payloadAt(at);
        head(payload, MESSAGES, messageBytes);
        out.putLong(payload + FRAME_AT, head.frame(), ORDER);
        out.putLong(payload + SENT_AT, head.sentNs(), ORDER);
        out.putLong(payload + ORDINAL_AT, head.ordinal(), ORDER);
        end = payload + HEAD;
    }

    private void head(final int payload, final int kind, final int stride) {
        out.putByte(payload, (byte) VERSION);
        out.putByte(payload + KIND_AT, (byte) kind);
        out.putShort(payload + STRIDE_AT, (short) stride, ORDER);
    }

    @Override
    public boolean hasRoom() {
        return messageBytes <= roomBytes();
    }

    @Override
    public int roomBytes() {
        return WebSocket.MAX_PAYLOAD - (end - framing.payloadAt(position));
    }

    @Override
    public void add(final DirectBuffer buffer, final int offset) {
        addEncoded(buffer, offset, messageBytes, 1);
    }

    @Override
    public int encodedBytes() {
        return messageBytes;
    }

    @Override
    public int encode(
            final MutableDirectBuffer to,
            final int at,
            final DirectBuffer buffer,
            final int offset) {
        to.putBytes(at, buffer, offset, messageBytes);
        return at + messageBytes;
    }

    @Override
    public void addEncoded(
            final DirectBuffer from, final int at, final int bytes, final int messages) {
        out.putBytes(end, from, at, bytes);
        end += bytes;
        count += messages;
    }

    @Override
    public int end() {
        out.putInt(framing.payloadAt(position) + COUNT_AT, count, ORDER);
        return framing.finish(out, position, end);
    }

    @Override
    public int note(final MutableDirectBuffer buffer, final int at, final String json) {
        out = buffer;
        final int payload = framing.payloadAt(at);
        final byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        final int padded = (bytes.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        head(payload, NOTE, 0);
        out.putInt(payload + COUNT_AT, padded, ORDER);
        out.setMemory(payload + FRAME_AT, HEAD - FRAME_AT, (byte) 0);
        out.putBytes(payload + HEAD, bytes);
        out.setMemory(payload + HEAD + bytes.length, padded - bytes.length, (byte) ' ');
        return framing.finish(out, at, payload + HEAD + padded);
    }
}
