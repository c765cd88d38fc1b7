package io.tickmark.workloads.feed.session;

import io.tickmark.workloads.feed.tick.Tick;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Frames of JSON text: {@code {"f":frame,"t":sentNs,"o":ordinal,"m":[[symbol, sequence, intendedNs,
 * lagNs, bid, ask, last, size, volume], ...]}}; a larger message has text of its padding's length
 * as tenth element. The lag is {@link Tick#NO_LAG} where it is not known, {@link Tick#LONG_LAG}
 * where it is too long for the field. Written digit by digit, so that nothing is allocated.
 */
public final class JsonFrame implements FrameEncoder {
    /** Most digits and signs of one message. */
    private static final int MAX_MESSAGE = 160;

    private static final String LAST = "]}";

    /** Including the line end that serves as framing. */
    private static final int MAX_LAST = 3;

    private final FeedFraming framing;
    private final int paddingBytes;
    private MutableDirectBuffer out;
    private int position;
    private int end;
    private boolean isFirst;

    /**
     * An encoder.
     *
     * @param framing around each frame
     * @param messageBytes of each message
     */
    public JsonFrame(final FeedFraming framing, final int messageBytes) {
        this.framing = framing;
        paddingBytes = messageBytes - Tick.LENGTH;
    }

    @Override
    public void begin(final MutableDirectBuffer buffer, final int at, final FrameHead head) {
        out = buffer;
        position = at;
        isFirst = true;
        end = framing.payloadAt(at);
        text("{\"f\":");
        number(head.frame());
        text(",\"t\":");
        number(head.sentNs());
        text(",\"o\":");
        number(head.ordinal());
        text(",\"m\":[");
    }

    @Override
    public boolean hasRoom() {
        return encodedBytes() <= roomBytes();
    }

    @Override
    public int roomBytes() {
        return WebSocket.MAX_PAYLOAD - MAX_LAST - (end - framing.payloadAt(position));
    }

    @Override
    public int encodedBytes() {
        return MAX_MESSAGE + paddingBytes;
    }

    @Override
    public void add(final DirectBuffer buffer, final int offset) {
        ended(encode(out, behind(), buffer, offset));
    }

    @Override
    public void addEncoded(
            final DirectBuffer from, final int at, final int bytes, final int messages) {
        final int to = behind();
        out.putBytes(to, from, at, bytes);
        ended(to + bytes);
    }

    /**
     * Where the next message is put; the comma of the first is replaced by the opening of the list.
     */
    private int behind() {
        return isFirst ? end - 1 : end;
    }

    private void ended(final int at) {
        if (isFirst) {
            out.putByte(end - 1, (byte) '[');
            isFirst = false;
        }
        end = at;
    }

    @Override
    public int encode(
            final MutableDirectBuffer to,
            final int at,
            final DirectBuffer buffer,
            final int offset) {
        to.putByte(at, (byte) ',');
        to.putByte(at + 1, (byte) '[');
        int next = at + 2;
        next += to.putLongAscii(next, Tick.symbol(buffer, offset));
        next = number(to, next, Tick.sequence(buffer, offset) & 0xffff_ffffL);
        next = number(to, next, Tick.intendedNs(buffer, offset));
        next = number(to, next, Tick.lagNs(buffer, offset));
        next = number(to, next, Tick.bid(buffer, offset));
        next = number(to, next, Tick.ask(buffer, offset));
        next = number(to, next, Tick.last(buffer, offset));
        next = number(to, next, Tick.size(buffer, offset));
        next = number(to, next, Tick.volume(buffer, offset));
        if (paddingBytes > 0) {
            next += to.putStringWithoutLengthAscii(next, ",\"");
            to.setMemory(next, paddingBytes, (byte) '.');
            next += paddingBytes;
            to.putByte(next++, (byte) '"');
        }
        to.putByte(next, (byte) ']');
        return next + 1;
    }

    private static int number(final MutableDirectBuffer to, final int at, final long value) {
        to.putByte(at, (byte) ',');
        return at + 1 + to.putLongAscii(at + 1, value);
    }

    private void number(final long value) {
        end += out.putLongAscii(end, value);
    }

    private void text(final String ascii) {
        end += out.putStringWithoutLengthAscii(end, ascii);
    }

    @Override
    public int end() {
        text(LAST);
        if (framing == FeedFraming.NONE) {
            text("\n");
        }
        return framing.finish(out, position, end);
    }

    @Override
    public int note(final MutableDirectBuffer buffer, final int at, final String json) {
        final byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        final int payload = framing.payloadAt(at);
        buffer.putBytes(payload, bytes);
        int to = payload + bytes.length;
        if (framing == FeedFraming.NONE) {
            buffer.putByte(to++, (byte) '\n');
        }
        return framing.finish(buffer, at, to);
    }
}
