package io.tickmark.wire.fix;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Finds FIX messages in bytes: {@code 8=FIX..., 9=<body length>, 35=..., ..., 10=<checksum>}. What
 * does not begin with these three fields, has no checksum field where the body length says, or
 * another checksum, is garbled (FIX session layer, "garbled message") and is to be passed over: the
 * framer says where the next message may begin. That is the end of the message where only its
 * checksum is wrong, and the next {@code 8=FIX} elsewhere.
 *
 * <p>Bounded: a message that would be longer than the limit is garbled as soon as its length is
 * known, so no more than the limit ever has to be kept. Single thread, allocates nothing.
 */
public final class FixFramer {
    /** The byte that ends a field. */
    public static final byte SOH = 1;

    /** {@code 10=nnn} and SOH. */
    public static final int CHECKSUM_FIELD_BYTES = 7;

    private static final byte[] START = {'8', '=', 'F', 'I', 'X'};

    /** {@code 8=FIXT.1.1} is the longest one known; some room for the next ones. */
    private static final int MAX_BEGIN_STRING_BYTES = 16;

    /** Enough for any length that fits an int's positive decimal digits, leading zeros included. */
    private static final int MAX_LENGTH_DIGITS = 9;

    private static final int WAIT = -1;
    private static final int NO = -2;

    /** SOH, {@code 10=}, three digits and SOH as eight bytes; and the high halves of the digits. */
    private static final long CHECKSUM_FIELD = 0x0130_3030_3d30_3101L;

    private static final long CHECKSUM_MASK = 0xfff0_f0f0_ffff_ffffL;
    private static final long BEYOND_NINE = 0x0006_0606_0000_0000L;
    private static final long DIGIT_CARRY = 0x0010_1010_0000_0000L;
    private static final int FIRST_DIGIT_SHIFT = 32;

    private final int maxMessageBytes;
    private long knownHead;
    private long knownTail;
    private int knownBytes;
    private int begin;
    private int body;
    private int end;
    private int needed;
    private Garbled reason = Garbled.BEGIN_STRING;

    /**
     * A framer.
     *
     * @param maxMessageBytes the longest message that is taken, all of its fields counted
     */
    public FixFramer(final int maxMessageBytes) {
        if (maxMessageBytes < 64) {
            throw new IllegalArgumentException(
                    "maxMessageBytes " + maxMessageBytes + " must be at least 64");
        }
        this.maxMessageBytes = maxMessageBytes;
    }

    /**
     * Looks at what begins at an offset.
     *
     * @param buffer with what was received
     * @param offset where the last message, or garbled piece, ended
     * @param limit position after the last byte received
     * @return what stands there; the other methods then say where it is
     */
    public FixFraming frame(final DirectBuffer buffer, final int offset, final int limit) {
        begin = offset;
        body = offset;
        end = offset;
        needed = 0;
        final int afterBegin =
                isKnown(buffer, offset, limit)
                        ? offset + knownBytes
                        : beginString(buffer, offset, limit);
        if (afterBegin < 0) {
            return afterBegin == WAIT
                    ? FixFraming.INCOMPLETE
                    : garbled(buffer, limit, Garbled.BEGIN_STRING);
        }
        if (!holds(buffer, afterBegin, limit, '9', '=')) {
            return limit - afterBegin < 2
                    ? FixFraming.INCOMPLETE
                    : garbled(buffer, limit, Garbled.BODY_LENGTH);
        }
        return afterLengthTag(buffer, afterBegin + 2, limit);
    }

    private FixFraming afterLengthTag(
            final DirectBuffer buffer, final int digits, final int limit) {
        long length = 0;
        int at = digits;
        for (; at < limit && isDigit(buffer.getByte(at)); at++) {
            if (at - digits == MAX_LENGTH_DIGITS) {
                return garbled(buffer, limit, Garbled.TOO_LONG);
            }
            length = length * 10 + (buffer.getByte(at) - '0');
        }
        if (at == limit) {
            return FixFraming.INCOMPLETE;
        }
        if (at == digits || buffer.getByte(at) != SOH) {
            return garbled(buffer, limit, Garbled.BODY_LENGTH);
        }
        body = at + 1;
        final long total = body - begin + length + CHECKSUM_FIELD_BYTES;
        if (total > maxMessageBytes) {
            return garbled(buffer, limit, Garbled.TOO_LONG);
        }
        needed = (int) total;
        return body(buffer, (int) length, limit);
    }

    private FixFraming body(final DirectBuffer buffer, final int length, final int limit) {
        if (length < 5 || limit - body >= 3 && !isMessageType(buffer)) {
            return garbled(buffer, limit, Garbled.MSG_TYPE);
        }
        if (limit - begin < needed) {
            return FixFraming.INCOMPLETE;
        }
        final int checksum = body + length;
        final long field = buffer.getLong(checksum - 1, ByteOrder.LITTLE_ENDIAN);
        if (!isChecksumField(field)) {
            return garbled(buffer, limit, Garbled.CHECKSUM_PLACE);
        }
        end = checksum + CHECKSUM_FIELD_BYTES;
        if (FixChecksum.of(buffer, begin, checksum - begin) != announced(field)) {
            reason = Garbled.CHECKSUM;
            return FixFraming.GARBLED;
        }
        return FixFraming.MESSAGE;
    }

    /** Whether the message begins as the last one did whose first field was right. */
    private boolean isKnown(final DirectBuffer buffer, final int offset, final int limit) {
        return knownBytes != 0
                && limit - offset >= knownBytes
                && buffer.getLong(offset) == knownHead
                && buffer.getLong(offset + knownBytes - Long.BYTES) == knownTail;
    }

    private boolean isMessageType(final DirectBuffer buffer) {
        return buffer.getByte(body) == '3'
                && buffer.getByte(body + 1) == '5'
                && buffer.getByte(body + 2) == '=';
    }

    private static boolean isChecksumField(final long field) {
        return (field & CHECKSUM_MASK) == CHECKSUM_FIELD
                && ((field & ~CHECKSUM_MASK) + BEYOND_NINE & DIGIT_CARRY) == 0;
    }

    private static int announced(final long field) {
        final long digits = field >>> FIRST_DIGIT_SHIFT;
        return (int) ((digits & 0xf) * 100 + (digits >>> 8 & 0xf) * 10 + (digits >>> 16 & 0xf));
    }

    /** Where the second field begins, or WAIT, or NO. */
    private int beginString(final DirectBuffer buffer, final int offset, final int limit) {
        final int known = Math.min(START.length, limit - offset);
        if (!isStart(buffer, offset, known)) {
            return NO;
        }
        final int last = Math.min(limit, offset + MAX_BEGIN_STRING_BYTES);
        for (int at = offset + known; at < last; at++) {
            final byte value = buffer.getByte(at);
            if (value == SOH) {
                return at == offset + START.length ? NO : known(buffer, offset, at + 1);
            }
            if (value != '.' && value != 'T' && !isDigit(value)) {
                return NO;
            }
        }
        return last == limit && limit - offset < MAX_BEGIN_STRING_BYTES ? WAIT : NO;
    }

    private int known(final DirectBuffer buffer, final int offset, final int afterBegin) {
        if (afterBegin - offset >= Long.BYTES) {
            knownBytes = afterBegin - offset;
            knownHead = buffer.getLong(offset);
            knownTail = buffer.getLong(afterBegin - Long.BYTES);
        }
        return afterBegin;
    }

    private FixFraming garbled(final DirectBuffer buffer, final int limit, final Garbled why) {
        reason = why;
        end = nextStart(buffer, Math.min(begin + 1, limit), limit);
        return FixFraming.GARBLED;
    }

    /**
     * Where the next message may begin: {@code 8=FIX}, or as much of it as ends the bytes, that is
     * not the tail of another tag (as in {@code 58=FIX}).
     *
     * @param buffer with what was received
     * @param from first byte to look at; what stands there is taken for the beginning of a field
     *     only where the byte before it can be read and is no digit, or where it is byte 0
     * @param limit position after the last byte received
     * @return an offset, the limit where none may begin
     */
    public static int nextStart(final DirectBuffer buffer, final int from, final int limit) {
        for (int at = from; at < limit; at++) {
            if (buffer.getByte(at) == '8'
                    && (at == 0 || !isDigit(buffer.getByte(at - 1)))
                    && isStart(buffer, at, Math.min(START.length, limit - at))) {
                return at;
            }
        }
        return limit;
    }

    /**
     * Where garbled bytes that reach to the last byte received end in a digit, {@code 8=FIX} behind
     * them begins no message but is in a tag such as 58: as much is to be shown again, in front of
     * what comes, as tells them apart, however the bytes come. Of {@link FixFraming#GARBLED} only.
     *
     * @param buffer with what was received
     * @param limit position after the last byte received, the same as {@link #end()}
     * @return from where to show again, the limit where nothing is needed
     */
    public int contextBegin(final DirectBuffer buffer, final int limit) {
        final byte last = buffer.getByte(limit - 1);
        return isDigit(last) ? Math.max(begin, limit - (last == '8' ? 2 : 1)) : limit;
    }

    private static boolean isStart(final DirectBuffer buffer, final int offset, final int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(offset + i) != START[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(
            final DirectBuffer buffer,
            final int at,
            final int limit,
            final char first,
            final char second) {
        return limit - at >= 2 && buffer.getByte(at) == first && buffer.getByte(at + 1) == second;
    }

    private static boolean isDigit(final byte value) {
        return value >= '0' && value <= '9';
    }

    /**
     * Where it begins.
     *
     * @return the offset that was asked about
     */
    public int begin() {
        return begin;
    }

    /**
     * The position after it, where to continue. After {@link FixFraming#INCOMPLETE} the same as
     * {@link #begin()}.
     *
     * @return an offset
     */
    public int end() {
        return end;
    }

    /**
     * How long it is.
     *
     * @return bytes of the message or of the garbled piece
     */
    public int length() {
        return end - begin;
    }

    /**
     * Where the body (the field 35) begins; of a {@link FixFraming#MESSAGE} only.
     *
     * @return an offset
     */
    public int bodyBegin() {
        return body;
    }

    /**
     * After the body, where the checksum field begins; of a {@link FixFraming#MESSAGE} only.
     *
     * @return an offset
     */
    public int bodyEnd() {
        return end - CHECKSUM_FIELD_BYTES;
    }

    /**
     * How long the message will be; of {@link FixFraming#INCOMPLETE} only. Asking again before so
     * many bytes from {@link #begin()} are there brings nothing.
     *
     * @return bytes, at most the longest message taken; 0 while the length is not known
     */
    public int neededBytes() {
        return needed;
    }

    /**
     * Why; of {@link FixFraming#GARBLED} only.
     *
     * @return the reason
     */
    public Garbled reason() {
        return reason;
    }

    /** What is at the position that a {@link FixFramer} examined. */
    public enum FixFraming {
        /** A whole message with the right body length and checksum. */
        MESSAGE,
        /** The beginning of one: ask again, from the same byte, when more has come. */
        INCOMPLETE,
        /** Bytes that are no message; go on at {@link FixFramer#end()}. */
        GARBLED
    }

    /** Why bytes are no FIX message. */
    public enum Garbled {
        /** The first field is not {@code 8=FIX} and a version. */
        BEGIN_STRING("does not begin with 8=FIX and a version"),
        /** The second field is not {@code 9=} and a number. */
        BODY_LENGTH("has no body length (9=) as its second field"),
        /** The body length makes the message longer than the framer takes. */
        TOO_LONG("is longer than is accepted"),
        /** The third field is not the message type. */
        MSG_TYPE("has no message type (35=) as its third field"),
        /** There is no checksum field of three digits where the body ends by its length. */
        CHECKSUM_PLACE("has no checksum (10=) where its body length says"),
        /** The checksum is another one. */
        CHECKSUM("has a wrong checksum (10=)");

        private final String predicate;

        Garbled(final String predicate) {
            this.predicate = predicate;
        }

        /**
         * Says it as the end of a sentence that begins with "the message".
         *
         * @return words, without a full stop
         */
        public String predicate() {
            return predicate;
        }
    }
}
