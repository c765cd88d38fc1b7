package io.tickmark.workloads.feed.session;

import io.tickmark.workloads.feed.tick.Tick;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Frames of JSON text: {@code {"f":frame,"t":sentNs,"o":ordinal,"m":[[symbol, sequence, intendedNs,
 * lagNs, bid, ask, last, size, volume], ...]}}; a larger message has text of its padding's length
 * as tenth element. Written digit by digit, so that nothing is allocated.
 */
public final class JsonFrame implements FrameEncoder {
    /** Most digits and signs of one message. */
    private static final int MAX_MESSAGE = 128;

    private final Framing framing;
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
    public JsonFrame(final Framing framing, final int messageBytes) {
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
        return end - framing.payloadAt(position) + MAX_MESSAGE + paddingBytes
                <= WebSocket.MAX_PAYLOAD;
    }

    @Override
    public void add(final DirectBuffer buffer, final int offset) {
        text(isFirst ? "[" : ",[");
        isFirst = false;
        number(Tick.symbol(buffer, offset));
        next(Tick.sequence(buffer, offset) & 0xffff_ffffL);
        next(Tick.intendedNs(buffer, offset));
        next(Tick.lagNs(buffer, offset));
        next(Tick.bid(buffer, offset));
        next(Tick.ask(buffer, offset));
        next(Tick.last(buffer, offset));
        next(Tick.size(buffer, offset));
        next(Tick.volume(buffer, offset));
        if (paddingBytes > 0) {
            text(",\"");
            out.setMemory(end, paddingBytes, (byte) '.');
            end += paddingBytes;
            text("\"");
        }
        text("]");
    }

    private void next(final long value) {
        out.putByte(end++, (byte) ',');
        number(value);
    }

    private void number(final long value) {
        end += out.putLongAscii(end, value);
    }

    private void text(final String ascii) {
        end += out.putStringWithoutLengthAscii(end, ascii);
    }

    @Override
    public int end() {
        text("]}");
        if (framing == Framing.NONE) {
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
        if (framing == Framing.NONE) {
            buffer.putByte(to++, (byte) '\n');
        }
        return framing.finish(buffer, at, to);
    }
}
