package io.tickmark.wire.match;

import io.tickmark.wire.fix.FixFramer;
import io.tickmark.wire.fix.FixFramer.FixFraming;
import io.tickmark.wire.fix.FixFramer.Garbled;
import io.tickmark.wire.tcp.ByteStream;
import io.tickmark.wire.tcp.TcpFlow;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of one direction of a connection. Whole ones are looked at where they lie in the
 * capture; only the part that a segment ends with is copied, until the rest comes. After a gap the
 * next beginning of a message is looked for. Single thread.
 */
final class FixStream implements ByteStream {
    private static final byte[] NOTHING = {};
    private static final int FIRST_REST_BYTES = 512;

    /** Enough to know the length of a message. */
    private static final int HEAD_BYTES = 40;

    private final TcpFlow flow;
    private final FixFramer framer;
    private final FixHandler handler;
    private final FixSide side;
    private final KeptBytes kept;
    private final UnsafeBuffer rest = new UnsafeBuffer(NOTHING);
    private byte[] restBytes = NOTHING;
    private int restLength;
    private boolean isSeeking;
    private CapturedSession session;

    FixStream(
            final TcpFlow flow,
            final FixSide side,
            final FixFramer framer,
            final FixHandler handler,
            final KeptBytes kept) {
        this.flow = flow;
        this.side = side;
        this.framer = framer;
        this.handler = handler;
        this.kept = kept;
    }

    TcpFlow flow() {
        return flow;
    }

    FixSide side() {
        return side;
    }

    /** What is known of its session; null before its first message. */
    CapturedSession session() {
        return session;
    }

    void session(final CapturedSession known) {
        session = known;
    }

    @Override
    public void onBytes(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final long timeNs,
            final long position) {
        final int limit = offset + length;
        int at = offset;
        if (restLength > 0) {
            at = continueRest(buffer, at, limit, timeNs, position);
        }
        while (at < limit) {
            final FixFraming framing = framer.frame(buffer, at, limit);
            if (framing == FixFraming.INCOMPLETE) {
                keep(buffer, at, limit - at);
                return;
            }
            deliver(framing, buffer, timeNs, position);
            at = framer.end();
        }
    }

    /** Adds bytes to what is kept until it is used up; where the bytes go on from there. */
    private int continueRest(
            final DirectBuffer buffer,
            final int offset,
            final int limit,
            final long timeNs,
            final long position) {
        int at = offset;
        while (restLength > 0) {
            final FixFraming framing = framer.frame(rest, 0, restLength);
            if (framing == FixFraming.INCOMPLETE) {
                if (at == limit) {
                    return at;
                }
                final int wanted = Math.max(framer.neededBytes(), HEAD_BYTES) - restLength;
                final int more = Math.min(Math.max(1, wanted), limit - at);
                keep(buffer, at, more);
                at += more;
            } else {
                deliver(framing, rest, timeNs, position);
                final int end = framer.end();
                restLength -= end;
                rest.putBytes(0, rest, end, restLength);
            }
        }
        return at;
    }

    private void deliver(
            final FixFraming framing,
            final DirectBuffer buffer,
            final long timeNs,
            final long position) {
        if (framing == FixFraming.MESSAGE) {
            isSeeking = false;
            handler.onMessage(this, buffer, framer, timeNs);
        } else if (!isSeeking || framer.reason() != Garbled.BEGIN_STRING) {
            // what follows without a beginning of its own is the same piece
            isSeeking = true;
            handler.onGarbled(this, framer.reason(), position);
        }
    }

    /**
     * Room grows with the bytes that come, not with the length that a message says it has; where
     * there is none left the message is lost to the report.
     */
    private void keep(final DirectBuffer buffer, final int offset, final int length) {
        if (restLength + length > restBytes.length) {
            final int wanted =
                    Math.max(restLength + length, Math.max(FIRST_REST_BYTES, 2 * restBytes.length));
            if (!kept.take(wanted - restBytes.length)) {
                handler.onCut(this);
                restLength = 0;
                isSeeking = true;
                return;
            }
            restBytes = Arrays.copyOf(restBytes, wanted);
            rest.wrap(restBytes);
        }
        rest.putBytes(restLength, buffer, offset, length);
        restLength += length;
    }

    @Override
    public void onForgotten() {
        onGap();
    }

    @Override
    public void onGap() {
        if (restLength > 0) {
            handler.onCut(this);
        }
        restLength = 0;
        isSeeking = true;
        kept.giveBack(restBytes.length);
        restBytes = NOTHING;
        rest.wrap(NOTHING);
    }

    /** Takes the FIX messages of all streams. */
    interface FixHandler {
        /** A whole message; the framer says where it lies. */
        void onMessage(FixStream stream, DirectBuffer buffer, FixFramer framer, long timeNs);

        /** Bytes that are no message. */
        void onGarbled(FixStream stream, Garbled reason, long position);

        /** A message was cut: its other part is not in the capture. */
        void onCut(FixStream stream);
    }

    /**
     * Room for the beginnings of messages whose rest has not come, of all streams together: a
     * capture of thousands of connections that never go on does not fill the memory. Single thread.
     */
    static final class KeptBytes {
        static final long MAX_TOTAL_BYTES = 256L << 20;

        private long taken;

        KeptBytes() {}

        /** Takes room; false where there is none left. */
        boolean take(final int bytes) {
            if (taken + bytes > MAX_TOTAL_BYTES) {
                return false;
            }
            taken += bytes;
            return true;
        }

        void giveBack(final int bytes) {
            taken -= bytes;
        }
    }
}
