package io.tickmark.workloads.feed.session;

import org.agrona.MutableDirectBuffer;

/** The framing of a payload on the wire. Stateless. */
public enum FeedFraming {
    /** A WebSocket frame (RFC 6455, 5.2) with binary payload. */
    WEB_SOCKET_BINARY(WebSocket.MAX_HEADER) {
        @Override
        int finish(final MutableDirectBuffer out, final int position, final int payloadEnd) {
            return WebSocket.finish(out, position, payloadEnd, WebSocket.BINARY);
        }
    },
    /** A WebSocket frame with text. */
    WEB_SOCKET_TEXT(WebSocket.MAX_HEADER) {
        @Override
        int finish(final MutableDirectBuffer out, final int position, final int payloadEnd) {
            return WebSocket.finish(out, position, payloadEnd, WebSocket.TEXT);
        }
    },
    /** An event of an event stream (HTML standard, 9.2). */
    EVENT(6) {
        @Override
        int finish(final MutableDirectBuffer out, final int position, final int payloadEnd) {
            out.putStringWithoutLengthAscii(position, "data: ");
            out.putStringWithoutLengthAscii(payloadEnd, "\n\n");
            return payloadEnd + 2;
        }
    },
    /** Nothing: the payload knows its own length. */
    NONE(0) {
        @Override
        int finish(final MutableDirectBuffer out, final int position, final int payloadEnd) {
            return payloadEnd;
        }
    };

    /** Most bytes that a framing adds. */
    static final int MAX_OVERHEAD = 16;

    private final int headerBytes;

    FeedFraming(final int headerBytes) {
        this.headerBytes = headerBytes;
    }

    /** Where the payload of a frame at this position begins. */
    int payloadAt(final int position) {
        return position + headerBytes;
    }

    /** Puts the header before the payload; gives where the frame ends. */
    abstract int finish(MutableDirectBuffer out, int position, int payloadEnd);
}
