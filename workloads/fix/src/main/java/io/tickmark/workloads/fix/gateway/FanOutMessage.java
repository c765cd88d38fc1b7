package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.session.BodyBytes;
import org.agrona.MutableDirectBuffer;

/**
 * A message to be sent to many sessions: its type, its body with the sum computed once, and the
 * positions of the symbol and the request id. Reused for every message. Single-threaded.
 */
final class FanOutMessage {
    /** Ints before the type and the body where it is passed from worker to worker. */
    private static final int HEADER_BYTES = 6 * Integer.BYTES;

    private static final int USUAL_BYTES = 1024;

    private final BodyBytes body;
    private byte[] type = {'W'};
    private int symbol;
    private int symbolLength;
    private int requestField;
    private int requestFieldLength;

    FanOutMessage() {
        this(USUAL_BYTES);
    }

    /** A message with room for a body of this size at first. */
    FanOutMessage(final int bodyBytes) {
        body = new BodyBytes(bodyBytes);
    }

    /** Takes a body; offsets count from its beginning, -1 for missing ones. */
    void set(
            final byte[] from,
            final int begin,
            final int length,
            final int symbolAt,
            final int symbolBytes,
            final int requestFieldAt,
            final int requestFieldBytes) {
        body.clear().put(from, begin, length);
        symbol = symbolAt;
        symbolLength = symbolBytes;
        requestField = requestFieldAt;
        requestFieldLength = requestFieldBytes;
    }

    /** Takes the type, which hardly ever changes. */
    void type(final byte[] from, final int begin, final int length) {
        if (!java.util.Arrays.equals(type, 0, type.length, from, begin, begin + length)) {
            type = java.util.Arrays.copyOfRange(from, begin, begin + length);
        }
    }

    void copy(final FanOutMessage other) {
        body.clear().put(other.body);
        type = other.type;
        symbol = other.symbol;
        symbolLength = other.symbolLength;
        requestField = other.requestField;
        requestFieldLength = other.requestFieldLength;
    }

    /** Bytes it takes between workers. */
    int encodedLength() {
        return HEADER_BYTES + type.length + body.length();
    }

    void encode(final MutableDirectBuffer into, final int at) {
        into.putInt(at, type.length);
        into.putInt(at + 4, body.length());
        into.putInt(at + 8, symbol);
        into.putInt(at + 12, symbolLength);
        into.putInt(at + 16, requestField);
        into.putInt(at + 20, requestFieldLength);
        into.putBytes(at + HEADER_BYTES, type, 0, type.length);
        into.putBytes(at + HEADER_BYTES + type.length, body.array(), 0, body.length());
    }

    void decode(final MutableDirectBuffer from, final int at) {
        final int typeLength = from.getInt(at);
        final int length = from.getInt(at + 4);
        if (type.length != typeLength) {
            type = new byte[typeLength];
        }
        from.getBytes(at + HEADER_BYTES, type);
        body.clear().put(from, at + HEADER_BYTES + typeLength, length);
        symbol = from.getInt(at + 8);
        symbolLength = from.getInt(at + 12);
        requestField = from.getInt(at + 16);
        requestFieldLength = from.getInt(at + 20);
    }

    byte[] type() {
        return type;
    }

    BodyBytes body() {
        return body;
    }

    boolean hasSymbol() {
        return symbol >= 0;
    }

    int symbol() {
        return symbol;
    }

    int symbolLength() {
        return symbolLength;
    }

    /** Where {@code 262=} begins, -1 where the message has none. */
    int requestField() {
        return requestField;
    }

    /** Bytes of that field, SOH included. */
    int requestFieldLength() {
        return requestFieldLength;
    }
}
