package io.tickmark.wire.match;

import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.wire.tcp.ByteStream;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Stamped messages of one direction of a TCP connection: each after its length, 4 bytes
 * little-endian. Keeps the stamp of a message only and passes over the rest. What is no stamped
 * message ends the reading until the next segment that begins with one. Single thread, allocates
 * nothing.
 */
final class StampStream implements ByteStream {
    private static final int LENGTH_BYTES = Integer.BYTES;

    /** What the tcp channel sends at most. */
    private static final int MAX_MESSAGE_BYTES = 256 << 10;

    /** After so many segments that begin with no message it is another protocol. */
    private static final int MOST_ATTEMPTS = 64;

    private final StampHandler.Way way;
    private final StampHandler handler;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[LENGTH_BYTES + Stamp.FULL_LENGTH]);
    private int headBytes;
    private int toSkip;
    private int attempts;
    private boolean isSeeking = true;

    StampStream(final StampHandler.Way way, final StampHandler handler) {
        this.way = way;
        this.handler = handler;
    }

    @Override
    public void onBytes(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final long timeNs,
            final long position) {
        if (isSeeking && !begins(buffer, offset, length)) {
            return;
        }
        final int limit = offset + length;
        int at = offset;
        while (at < limit) {
            if (toSkip > 0) {
                final int skipped = Math.min(toSkip, limit - at);
                toSkip -= skipped;
                at += skipped;
            } else {
                final int wanted = Math.min(wanted() - headBytes, limit - at);
                head.putBytes(headBytes, buffer, at, wanted);
                headBytes += wanted;
                at += wanted;
                if (headBytes < LENGTH_BYTES) {
                    return;
                }
                if (!isPossible(head, 0, headBytes)) {
                    onGap();
                    return;
                }
                if (headBytes == wanted()) {
                    toSkip = messageBytes() - (headBytes - LENGTH_BYTES);
                }
            }
            if (toSkip == 0 && headBytes >= LENGTH_BYTES && headBytes == wanted()) {
                handler.onStamped(
                        way, head, LENGTH_BYTES, messageBytes(), headBytes - LENGTH_BYTES, timeNs);
                headBytes = 0;
            }
        }
    }

    private int messageBytes() {
        return head.getInt(0, ByteOrder.LITTLE_ENDIAN);
    }

    /** How much of a message is to be kept. */
    private int wanted() {
        return headBytes < LENGTH_BYTES
                ? LENGTH_BYTES
                : LENGTH_BYTES + Math.min(Stamp.FULL_LENGTH, messageBytes());
    }

    private boolean begins(final DirectBuffer buffer, final int offset, final int length) {
        if (attempts >= MOST_ATTEMPTS) {
            return false;
        }
        attempts++;
        if (length < LENGTH_BYTES + Stamp.SHORT_LENGTH || !isPossible(buffer, offset, length)) {
            return false;
        }
        isSeeking = false;
        attempts = 0;
        headBytes = 0;
        toSkip = 0;
        return true;
    }

    /** Whether a length that can be is there and, as far as it is there, a stamp. */
    private static boolean isPossible(
            final DirectBuffer buffer, final int offset, final int length) {
        final int message = buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
        return message >= Stamp.SHORT_LENGTH
                && message <= MAX_MESSAGE_BYTES
                && (length < LENGTH_BYTES + Stamp.SHORT_LENGTH
                        || Stamp.isStamped(buffer, offset + LENGTH_BYTES, message));
    }

    @Override
    public void onGap() {
        isSeeking = true;
        headBytes = 0;
        toSkip = 0;
    }
}
