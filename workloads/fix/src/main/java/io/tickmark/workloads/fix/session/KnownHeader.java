package io.tickmark.workloads.fix.session;

import java.util.Arrays;

/**
 * The bytes of a header that was taken apart, BeginString and from MsgType to {@code 34=}: where
 * the next message has the same, only its sequence number and time are read. Single thread,
 * allocates nothing.
 */
final class KnownHeader {
    private static final byte SOH = 1;
    private static final int MOST_BYTES = 256;

    /** Framers take no longer first fields. */
    private static final int MOST_START_BYTES = 16;

    /** Sequence number, time and the next tag need no more. */
    private static final int ROOM_BEHIND = 64;

    private static final int MOST_DIGITS = 18;
    private static final int MOST_TAG = 10_000_000;

    private final byte[] start = new byte[MOST_START_BYTES];
    private final byte[] known = new byte[MOST_BYTES];
    private int startLength;
    private int length;
    private long sequence;
    private int time;
    private int fields;

    KnownHeader() {}

    /**
     * Keeps the first field of a message, and bytes from its third on that end with {@code 34=};
     * none where their count is 0 or too large.
     */
    void keep(final byte[] bytes, final int message, final int begin, final int count) {
        length = count > MOST_BYTES ? 0 : Math.max(0, count);
        System.arraycopy(bytes, begin, known, 0, length);
        startLength = 0;
        while (length > 0 && startLength < MOST_START_BYTES) {
            start[startLength] = bytes[message + startLength];
            if (start[startLength++] == SOH) {
                return;
            }
        }
    }

    /** Keeps nothing. */
    void forget() {
        length = 0;
    }

    /** Whether a header is these bytes, a number, 52= with milliseconds, and no further field. */
    boolean matches(final byte[] bytes, final int message, final int begin, final int end) {
        if (length == 0
                || begin + length + ROOM_BEHIND > end
                || !Arrays.equals(bytes, begin, begin + length, known, 0, length)
                || !Arrays.equals(bytes, message, message + startLength, start, 0, startLength)) {
            return false;
        }
        int at = begin + length;
        final int digitsEnd = at + MOST_DIGITS;
        long number = 0;
        while (at < digitsEnd && isDigit(bytes[at])) {
            number = number * 10 + bytes[at++] - '0';
        }
        sequence = number;
        time = at + 4;
        fields = time + TimestampText.LENGTH + 1;
        return at > begin + length
                && bytes[at] == SOH
                && bytes[at + 1] == '5'
                && bytes[at + 2] == '2'
                && bytes[at + 3] == '='
                && bytes[fields - 1] == SOH
                && isBodyField(bytes, end);
    }

    private boolean isBodyField(final byte[] bytes, final int end) {
        int tag = 0;
        int at = fields;
        while (at < end && isDigit(bytes[at]) && tag < MOST_TAG) {
            tag = tag * 10 + bytes[at++] - '0';
        }
        return tag > 0 && at < end && bytes[at] == '=' && !Tags.isOfHeader(tag);
    }

    private static boolean isDigit(final byte value) {
        return value >= '0' && value <= '9';
    }

    long sequence() {
        return sequence;
    }

    int time() {
        return time;
    }

    int fields() {
        return fields;
    }
}
