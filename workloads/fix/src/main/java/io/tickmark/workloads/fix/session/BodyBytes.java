package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixChecksum;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The part of a message after its standard header, and the sum of its bytes: written or copied
 * once, sent to any number of sessions. Grows where needed. Single-threaded.
 */
public final class BodyBytes {
    private static final byte SOH = 1;

    private byte[] bytes;
    private int length;
    private int sum;

    /**
     * An empty body.
     *
     * @param initialBytes room at first
     */
    public BodyBytes(final int initialBytes) {
        bytes = new byte[initialBytes];
    }

    /**
     * Empties it.
     *
     * @return this
     */
    public BodyBytes clear() {
        length = 0;
        sum = 0;
        return this;
    }

    /**
     * Copies bytes to the end.
     *
     * @param from source
     * @param offset of the first
     * @param count how many
     * @return this
     */
    public BodyBytes put(final byte[] from, final int offset, final int count) {
        room(count);
        System.arraycopy(from, offset, bytes, length, count);
        sum += FixChecksum.of(from, offset, count);
        length += count;
        return this;
    }

    /**
     * Copies bytes to the end.
     *
     * @param from source
     * @param offset of the first
     * @param count how many
     * @return this
     */
    public BodyBytes put(final DirectBuffer from, final int offset, final int count) {
        room(count);
        from.getBytes(offset, bytes, length, count);
        sum += FixChecksum.of(bytes, length, count);
        length += count;
        return this;
    }

    /**
     * Copies another body to the end; its sum is not computed again.
     *
     * @param other source
     * @return this
     */
    public BodyBytes put(final BodyBytes other) {
        room(other.length);
        System.arraycopy(other.bytes, 0, bytes, length, other.length);
        sum += other.sum;
        length += other.length;
        return this;
    }

    /**
     * Adds a field; not on a hot path.
     *
     * @param tag its number
     * @param value its value
     * @return this
     */
    public BodyBytes field(final int tag, final String value) {
        final byte[] text = (tag + "=" + value).getBytes(StandardCharsets.ISO_8859_1);
        put(text, 0, text.length);
        return end();
    }

    /**
     * Adds a field with a whole number.
     *
     * @param tag its number
     * @param value its value
     * @return this
     */
    public BodyBytes field(final int tag, final long value) {
        return field(tag, Long.toString(value));
    }

    /**
     * Ends a field with SOH.
     *
     * @return this
     */
    public BodyBytes end() {
        room(1);
        bytes[length++] = SOH;
        sum += SOH;
        return this;
    }

    private void room(final int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }

    /**
     * Overwrites bytes with a number with leading zeros, and updates the sum.
     *
     * @param offset of the first digit
     * @param digits how many
     * @param value not negative
     */
    public void patch(final int offset, final int digits, final long value) {
        long left = value;
        int change = 0;
        for (int i = offset + digits - 1; i >= offset; i--) {
            final byte digit = (byte) ('0' + left % 10);
            change += digit - bytes[i];
            bytes[i] = digit;
            left /= 10;
        }
        sum += change;
    }

    /**
     * Overwrites one byte, and updates the sum.
     *
     * @param offset where
     * @param value to write
     */
    public void patch(final int offset, final byte value) {
        sum += value - bytes[offset];
        bytes[offset] = value;
    }

    /**
     * The bytes; valid until something is added.
     *
     * @return the array, longer than the body
     */
    public byte[] array() {
        return bytes;
    }

    /**
     * How long it is.
     *
     * @return bytes
     */
    public int length() {
        return length;
    }

    /** Sum of its bytes, right modulo 256. */
    int sum() {
        return sum;
    }
}
