package io.tickmark.workloads.fix.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the messages of one session into an {@link OutBuffer}: the fields before the sequence
 * number are kept as bytes with their sum, the sequence number is incremented as text, and the body
 * is passed with its sum. Single-threaded; allocates nothing while type and length do not change.
 */
final class SessionEncoder {
    private static final byte SOH = 1;

    /** Everything but begin string, comp ids and body; generously. */
    private static final int OTHER_BYTES = 160;

    private static final int LARGEST_DIGITS = 19;
    private static final byte[] SENDING_TIME = {SOH, '5', '2', '='};
    private static final int FIXED_SUM = sum(SENDING_TIME, SENDING_TIME.length) + SOH;

    private final byte[] prefix;
    private final byte[] compIds;
    private final byte[] sequence = new byte[LARGEST_DIGITS];
    private long sequenceShown;
    private int sequenceDigits;
    private int sequenceSum;
    private byte[] type = {};
    private int bodyLength = -1;
    private byte[] head;
    private int headLength;
    private int headSum;
    private int headTailLength;

    SessionEncoder(final FixVersion version, final String sender, final String target) {
        prefix = version.prefix();
        compIds =
                ("\u000149=" + sender + "\u000156=" + target + "\u000134=")
                        .getBytes(StandardCharsets.ISO_8859_1);
        head = new byte[prefix.length + compIds.length + 64];
        show(1);
    }

    /**
     * Writes a message.
     *
     * @param out where it is written
     * @param messageType value of field 35
     * @param number sequence number
     * @param time for field 52
     * @param ids fields put before the body, null for none
     * @param body after the header
     * @return where it begins in the buffer's array, -1 where there is no room: nothing was written
     */
    int encode(
            final OutBuffer out,
            final byte[] messageType,
            final long number,
            final TimestampText time,
            final BodyBytes ids,
            final BodyBytes body) {
        final int idsLength = ids == null ? 0 : ids.length();
        if (!out.reserve(
                head.length + messageType.length + OTHER_BYTES + idsLength + body.length())) {
            return -1;
        }
        show(number);
        final int varying =
                sequenceDigits
                        + SENDING_TIME.length
                        + TimestampText.LENGTH
                        + 1
                        + idsLength
                        + body.length();
        if (varying != headTailLength || !Arrays.equals(type, messageType)) {
            makeHead(messageType, varying);
        }
        final byte[] bytes = out.array();
        final int begin = out.tail();
        System.arraycopy(head, 0, bytes, begin, headLength);
        int at = begin + headLength;
        System.arraycopy(sequence, LARGEST_DIGITS - sequenceDigits, bytes, at, sequenceDigits);
        at += sequenceDigits;
        System.arraycopy(SENDING_TIME, 0, bytes, at, SENDING_TIME.length);
        at += SENDING_TIME.length;
        System.arraycopy(time.bytes(), 0, bytes, at, TimestampText.LENGTH);
        at += TimestampText.LENGTH;
        bytes[at++] = SOH;
        int sum = headSum + sequenceSum + FIXED_SUM + time.sum() + body.sum();
        if (ids != null) {
            System.arraycopy(ids.array(), 0, bytes, at, idsLength);
            at += idsLength;
            sum += ids.sum();
        }
        System.arraycopy(body.array(), 0, bytes, at, body.length());
        out.advance(checksum(bytes, at + body.length(), sum & 0xff));
        return begin;
    }

    private static int checksum(final byte[] bytes, final int from, final int sum) {
        int at = from;
        bytes[at++] = '1';
        bytes[at++] = '0';
        bytes[at++] = '=';
        bytes[at++] = (byte) ('0' + sum / 100);
        bytes[at++] = (byte) ('0' + sum / 10 % 10);
        bytes[at++] = (byte) ('0' + sum % 10);
        bytes[at++] = SOH;
        return at;
    }

    /** The fields up to the sequence number, for messages of this type and length. */
    private void makeHead(final byte[] messageType, final int varying) {
        if (!Arrays.equals(type, messageType)) {
            type = messageType.clone();
        }
        headTailLength = varying;
        bodyLength = 3 + type.length + compIds.length + varying;
        final byte[] digits = Integer.toString(bodyLength).getBytes(StandardCharsets.US_ASCII);
        int at = put(prefix, 0);
        at = put(digits, at);
        head[at++] = SOH;
        head[at++] = '3';
        head[at++] = '5';
        head[at++] = '=';
        at = put(type, at);
        headLength = put(compIds, at);
        headSum = sum(head, headLength);
    }

    private int put(final byte[] from, final int at) {
        if (head.length < at + from.length + 64) {
            head = Arrays.copyOf(head, at + from.length + 128);
        }
        System.arraycopy(from, 0, head, at, from.length);
        return at + from.length;
    }

    /** Increments the text where the number is the next one, otherwise rewrites it. */
    private void show(final long number) {
        if (number == sequenceShown) {
            return;
        }
        if (number != sequenceShown + 1 || !countUp()) {
            Arrays.fill(sequence, (byte) '0');
            long left = number;
            sequenceDigits = 0;
            do {
                sequence[LARGEST_DIGITS - 1 - sequenceDigits++] = (byte) ('0' + left % 10);
                left /= 10;
            } while (left > 0);
            sequenceSum = 0;
            for (int i = LARGEST_DIGITS - sequenceDigits; i < LARGEST_DIGITS; i++) {
                sequenceSum += sequence[i];
            }
        }
        sequenceShown = number;
    }

    /** False where the text becomes longer. */
    private boolean countUp() {
        for (int i = LARGEST_DIGITS - 1; i >= LARGEST_DIGITS - sequenceDigits; i--) {
            if (sequence[i] < '9') {
                sequence[i]++;
                sequenceSum++;
                return true;
            }
            sequence[i] = '0';
            sequenceSum -= 9;
        }
        return false;
    }

    private static int sum(final byte[] bytes, final int length) {
        int sum = 0;
        for (int i = 0; i < length; i++) {
            sum += bytes[i];
        }
        return sum;
    }
}
