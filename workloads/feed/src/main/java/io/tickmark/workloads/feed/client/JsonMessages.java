package io.tickmark.workloads.feed.client;

import io.tickmark.workloads.feed.session.JsonFrame;
import io.tickmark.workloads.feed.tick.Tick;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the text frames that {@link JsonFrame} writes, without making objects: a walk over its
 * numbers. Not a reader for other JSON.
 */
final class JsonMessages {
    private static final int INTENDED = 2;
    private static final int LAG = 3;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Tick.LENGTH]);
    private final Tally tally;
    private DirectBuffer text;
    private int at;
    private int end;

    JsonMessages(final Tally tally) {
        this.tally = tally;
    }

    void onFrame(
            final ClientSession session,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final long nowNs) {
        text = buffer;
        at = offset;
        end = offset + length;
        if (length < 2 || buffer.getByte(offset + 2) != 'f') {
            session.onNote(buffer.getStringWithoutLengthUtf8(offset, length));
            return;
        }
        final long frame = number();
        number(); // when it was written
        final long ordinal = number();
        int count = 0;
        while (toMessage()) {
            message(nowNs);
            count++;
        }
        session.onMessages(frame, ordinal, count, length);
    }

    private void message(final long nowNs) {
        long intendedNs = 0;
        long lagNs = 0;
        for (int field = 0; field <= LAG; field++) {
            final long value = number();
            intendedNs = field == INTENDED ? value : intendedNs;
            lagNs = field == LAG ? value : lagNs;
        }
        Tick.times(message, 0, intendedNs, lagNs);
        tally.message(message, 0, nowNs);
        while (at < end && text.getByte(at) != ']') {
            at++;
        }
        at++;
    }

    /** On to the next message's first number; false at the end of the list. */
    private boolean toMessage() {
        while (at < end) {
            final byte c = text.getByte(at);
            if (c == ']') {
                return false;
            }
            if (isDigit(c)) {
                return true;
            }
            at++;
        }
        return false;
    }

    private static boolean isDigit(final byte c) {
        return c >= '0' && c <= '9' || c == '-';
    }

    private long number() {
        while (at < end && !isDigit(text.getByte(at))) {
            at++;
        }
        long value = 0;
        boolean isNegative = false;
        for (; at < end && isDigit(text.getByte(at)); at++) {
            if (text.getByte(at) == '-') {
                isNegative = true;
            } else {
                value = value * 10 + text.getByte(at) - '0';
            }
        }
        return isNegative ? -value : value;
    }
}
