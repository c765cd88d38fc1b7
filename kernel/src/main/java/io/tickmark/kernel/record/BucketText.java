package io.tickmark.kernel.record;

import java.nio.charset.StandardCharsets;

/**
 * Counts in {@link LatencyBuckets} as text that is short and quick to read, because a controller
 * reads hundreds of them a second from each of a thousand roles. For each bucket that is not empty,
 * ascending: its distance from the one before (from -1), and its count, both at least 1 and as
 * base64 VLQ without a sign: five bits for each character of the base64 alphabet (RFC 4648, section
 * 4), the lowest first, 32 added where more follow.
 */
final class BucketText {
    private static final String DIGITS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final int BITS = 5;
    private static final int MORE = 1 << BITS;
    private static final int MOST_SHIFT = 60;
    private static final byte[] VALUES = new byte[256];

    static {
        for (int i = 0; i < VALUES.length; i++) {
            VALUES[i] = (byte) DIGITS.indexOf(i);
        }
    }

    private final byte[] text;
    private int next;
    private int bucket = -1;
    private long count;

    /**
     * Reads a text.
     *
     * @param text of counts
     */
    BucketText(final String text) {
        this.text = text.getBytes(StandardCharsets.ISO_8859_1); // other characters are not digits
    }

    /**
     * Counts as text.
     *
     * @param counts by number of bucket
     * @return empty where all are 0
     */
    static String of(final long[] counts) {
        final StringBuilder text = new StringBuilder();
        int before = -1;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                append(text, i - before);
                append(text, counts[i]);
                before = i;
            }
        }
        return text.toString();
    }

    private static void append(final StringBuilder text, final long number) {
        long left = number;
        while (left >= MORE) {
            text.append(DIGITS.charAt((int) (left & MORE - 1 | MORE)));
            left >>>= BITS;
        }
        text.append(DIGITS.charAt((int) left));
    }

    /**
     * Goes to the next bucket.
     *
     * @return false where there is none
     * @throws IllegalArgumentException if the text does not have this format
     */
    boolean advance() {
        if (next == text.length) {
            return false;
        }
        final long far = number();
        count = number();
        if (far > LatencyBuckets.LAST - bucket) {
            throw new IllegalArgumentException("no such bucket");
        }
        bucket += (int) far;
        return true;
    }

    /**
     * In local variables, because only the first compiler is active where many of these are read.
     */
    private long number() {
        final byte[] digits = text;
        int at = next;
        long number = 0;
        for (int shift = 0; at < digits.length && shift < MOST_SHIFT; shift += BITS) {
            final int value = VALUES[digits[at++] & 0xFF];
            if (value < 0) {
                break;
            }
            number |= (long) (value & MORE - 1) << shift;
            if (value < MORE) {
                if (number == 0) {
                    break;
                }
                next = at;
                return number;
            }
        }
        throw new IllegalArgumentException("no counts of buckets");
    }

    int bucket() {
        return bucket;
    }

    long count() {
        return count;
    }
}
