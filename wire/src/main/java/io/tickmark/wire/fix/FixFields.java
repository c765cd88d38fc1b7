package io.tickmark.wire.fix;

import org.agrona.DirectBuffer;

/**
 * Goes through the fields of a message, {@code tag=value} and SOH, in order. It does not recognise
 * data fields whose value may contain SOH: a caller that expects one sets its length with {@link
 * #skipTo}. Single-threaded, allocates nothing.
 *
 * <pre>{@code
 * fields.wrap(buffer, framer.bodyBegin(), framer.bodyEnd());
 * while (fields.next()) {
 *     switch (fields.tag()) ...
 * }
 * }</pre>
 */
public final class FixFields {
    private static final int MAX_TAG = 99_999_999;

    private DirectBuffer buffer;
    private byte[] array;
    private int shift;
    private int at;
    private int limit;
    private int tag;
    private int value;
    private int valueEnd;
    private boolean isMalformed;

    /** A cursor over nothing. */
    public FixFields() {}

    /**
     * Starts before the first field.
     *
     * @param bytes to read
     * @param offset of the first field
     * @param end position after the last one
     * @return this
     */
    public FixFields wrap(final DirectBuffer bytes, final int offset, final int end) {
        bytes.boundsCheck(offset, Math.max(0, end - offset));
        buffer = bytes;
        array = bytes.byteArray();
        shift = array == null ? 0 : bytes.wrapAdjustment();
        at = offset;
        limit = end;
        tag = 0;
        value = offset;
        valueEnd = offset;
        isMalformed = false;
        return this;
    }

    /**
     * Goes to the next field.
     *
     * @return false after the last one, and at what is no field: {@link #isMalformed()} tells them
     *     apart
     */
    public boolean next() {
        if (at >= limit) {
            return false;
        }
        final byte[] bytes = array;
        return bytes == null ? nextOfBuffer() : nextOfArray(bytes, limit + shift);
    }

    private boolean nextOfBuffer() {
        int number = 0;
        int i = at;
        for (; i < limit && buffer.getByte(i) != '='; i++) {
            final int digit = buffer.getByte(i) - '0';
            if (digit < 0 || digit > 9 || number > MAX_TAG / 10) {
                isMalformed = true;
                return false;
            }
            number = number * 10 + digit;
        }
        final int begin = i + 1;
        i = begin;
        while (i < limit && buffer.getByte(i) != FixFramer.SOH) {
            i++;
        }
        return field(number, begin, i);
    }

    /** The same without a call for each byte. */
    private boolean nextOfArray(final byte[] bytes, final int end) {
        int number = 0;
        int i = at + shift;
        for (; i < end && bytes[i] != '='; i++) {
            final int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9 || number > MAX_TAG / 10) {
                isMalformed = true;
                return false;
            }
            number = number * 10 + digit;
        }
        final int begin = i + 1;
        i = begin;
        while (i < end && bytes[i] != FixFramer.SOH) {
            i++;
        }
        return field(number, begin - shift, i - shift);
    }

    private boolean field(final int number, final int begin, final int end) {
        if (number == 0 || begin > limit) {
            isMalformed = true;
            return false;
        }
        tag = number;
        value = begin;
        if (end >= limit) {
            isMalformed = true;
            return false;
        }
        valueEnd = end;
        at = end + 1;
        return true;
    }

    /**
     * Makes the value of the field just reached as long as its length field said.
     *
     * @param valueBytes of the data
     * @return whether the value ends within the message, with SOH after it; else it is malformed
     */
    public boolean skipTo(final int valueBytes) {
        if (valueBytes < 0
                || valueBytes >= limit - value
                || buffer.getByte(value + valueBytes) != FixFramer.SOH) {
            isMalformed = true;
            at = limit;
            return false;
        }
        valueEnd = value + valueBytes;
        at = valueEnd + 1;
        return true;
    }

    /**
     * Whether the last {@link #next()} found something that is no field: a tag that is no number
     * from 1 to 99,999,999, no {@code =}, or no SOH at the end.
     *
     * @return true if so; {@link #position()} says where
     */
    public boolean isMalformed() {
        return isMalformed;
    }

    /**
     * Where the next field begins, or what is malformed.
     *
     * @return an offset
     */
    public int position() {
        return at;
    }

    /**
     * The tag.
     *
     * @return its number
     */
    public int tag() {
        return tag;
    }

    /**
     * Where the value begins.
     *
     * @return an offset
     */
    public int valueBegin() {
        return value;
    }

    /**
     * How long the value is.
     *
     * @return bytes, 0 for an empty one
     */
    public int valueLength() {
        return valueEnd - value;
    }
}
