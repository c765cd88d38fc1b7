package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixFields;
import io.tickmark.wire.fix.FixFramer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message as received, with its standard header parsed. The header of a session hardly changes
 * from message to message, so the bytes of the last parsed one are kept: where they are the same,
 * only sequence number and time are read. Single-threaded, allocates nothing.
 */
public final class InboundMessage {
    private static final byte SOH = 1;

    private final FixFields cursor = new FixFields();
    private final HeaderRules rules = new HeaderRules();
    private UnsafeBuffer buffer;
    private byte[] bytes;
    private int begin;
    private int body;
    private int fields;
    private int bodyEnd;
    private int end;
    private int type;
    private int typeLength;
    private int sender;
    private int senderLength;
    private int target;
    private int targetLength;
    private long sequence;
    private int time;
    private int timeLength;
    private int origTime;
    private int origTimeLength;
    private boolean possDup;
    private boolean possResend;
    private int senderInHeader;
    private int targetInHeader;
    private final KnownHeader known = new KnownHeader();
    private boolean isKnown;

    /** No message yet. */
    public InboundMessage() {}

    /**
     * Parses the header.
     *
     * @param in with the message, over an array
     * @param framer that found it
     * @return {@link RejectReason#NONE}, or why the header is not right
     */
    int wrap(final UnsafeBuffer in, final FixFramer framer) {
        buffer = in;
        bytes = in.byteArray();
        begin = framer.begin();
        body = framer.bodyBegin();
        bodyEnd = framer.bodyEnd();
        end = framer.end();
        isKnown = false;
        return isAsKnown() ? RejectReason.NONE : takeApart();
    }

    private boolean isAsKnown() {
        if (!known.matches(bytes, begin, body, bodyEnd)) {
            return false;
        }
        sequence = known.sequence();
        time = known.time();
        timeLength = TimestampText.LENGTH;
        fields = known.fields();
        type = body + 3;
        sender = body + senderInHeader;
        target = body + targetInHeader;
        possDup = false;
        possResend = false;
        origTimeLength = 0;
        isKnown = true;
        return true;
    }

    private int takeApart() {
        clear();
        rules.begin();
        cursor.wrap(buffer, body, bodyEnd);
        int sequenceAt = 0;
        int at = body;
        fields = bodyEnd;
        while (cursor.next()) {
            if (!Tags.isOfHeader(cursor.tag())) {
                fields = at;
                break;
            }
            if (cursor.tag() == Tags.MSG_SEQ_NUM) {
                sequenceAt = cursor.valueBegin();
            }
            rules.take(cursor, this);
            take();
            at = cursor.position();
        }
        if (cursor.isMalformed()) {
            rules.malformed(FieldSearch.malformed(bytes, cursor.position(), bodyEnd));
        }
        if (rules.reason() == RejectReason.NONE) {
            remember(sequenceAt);
        }
        return rules.reason();
    }

    private void take() {
        final int at = cursor.valueBegin();
        final int length = cursor.valueLength();
        switch (cursor.tag()) {
            case Tags.MSG_TYPE -> {
                type = at;
                typeLength = length;
            }
            case Tags.SENDER_COMP_ID -> {
                sender = at;
                senderLength = length;
            }
            case Tags.TARGET_COMP_ID -> {
                target = at;
                targetLength = length;
            }
            case Tags.MSG_SEQ_NUM -> sequence = number(at, length);
            case Tags.SENDING_TIME -> {
                time = at;
                timeLength = length;
            }
            case Tags.ORIG_SENDING_TIME -> {
                origTime = at;
                origTimeLength = length;
            }
            case Tags.POSS_DUP_FLAG -> possDup = length == 1 && bytes[at] == 'Y';
            case Tags.POSS_RESEND -> possResend = length == 1 && bytes[at] == 'Y';
            default -> {}
        }
    }

    private void clear() {
        typeLength = 0;
        senderLength = 0;
        targetLength = 0;
        sequence = -1;
        timeLength = 0;
        origTimeLength = 0;
        possDup = false;
        possResend = false;
    }

    /** Only a header of the usual order is kept: 35, 49, 56, then 34 and 52. */
    private void remember(final int sequenceAt) {
        final boolean isUsual =
                time > sequenceAt
                        && timeLength == TimestampText.LENGTH
                        && sender > 0
                        && sender < sequenceAt
                        && target < sequenceAt
                        && hasCompIds()
                        && !possDup
                        && !possResend;
        known.keep(bytes, begin, body, isUsual ? sequenceAt - body : 0);
        senderInHeader = sender - body;
        targetInHeader = target - body;
    }

    /** Forgets the bytes that are kept: the next header is parsed in full. */
    void forget() {
        known.forget();
    }

    /** A whole number of up to 18 digits, -1 where it is not one. */
    long number(final int at, final int length) {
        if (length < 1 || length > 18) {
            return -1;
        }
        long value = 0;
        for (int i = at; i < at + length; i++) {
            final int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** A cursor before the first field after the header. */
    FixFields fields() {
        return cursor.wrap(buffer, fields, bodyEnd);
    }

    /**
     * Finds a field after the header.
     *
     * @param tag its number
     * @return a cursor at the field, null where the message has none
     */
    FixFields find(final int tag) {
        return FieldSearch.find(this, tag, fields());
    }

    /** A field of the header, as text; null where it has none. Not on a hot path. */
    String headerText(final int tag) {
        final FixFields field = FieldSearch.find(this, tag, cursor.wrap(buffer, body, fields));
        return field == null ? null : text(field.valueBegin(), field.valueLength());
    }

    /**
     * The value of a field after the header, as text; not on a hot path.
     *
     * @param tag its number
     * @return its value, null where the message has none
     */
    public String text(final int tag) {
        final FixFields field = find(tag);
        return field == null ? null : text(field.valueBegin(), field.valueLength());
    }

    /** A number of the body, -1 where it is absent or none. */
    long number(final int tag) {
        final FixFields field = find(tag);
        return field == null ? -1 : number(field.valueBegin(), field.valueLength());
    }

    boolean isYes(final int tag) {
        final FixFields field = find(tag);
        return field != null && field.valueLength() == 1 && bytes[field.valueBegin()] == 'Y';
    }

    private String text(final int at, final int length) {
        return new String(bytes, at, length, StandardCharsets.ISO_8859_1);
    }

    String beginString() {
        int at = begin + 2;
        while (bytes[at] != SOH) {
            at++;
        }
        return text(begin + 2, at - begin - 2);
    }

    /**
     * SenderCompID.
     *
     * @return the text
     */
    public String sender() {
        return text(sender, senderLength);
    }

    /**
     * TargetCompID.
     *
     * @return the text
     */
    public String target() {
        return text(target, targetLength);
    }

    /** Whether header and comp ids are byte for byte those of a message already accepted. */
    boolean isKnown() {
        return isKnown;
    }

    /**
     * MsgType as text.
     *
     * @return the text
     */
    public String type() {
        return text(type, typeLength);
    }

    /**
     * MsgType where it is one character.
     *
     * @return the character, 0 where it is longer
     */
    public char typeChar() {
        return typeLength == 1 ? (char) bytes[type] : 0;
    }

    /**
     * Where MsgType begins.
     *
     * @return an offset
     */
    public int typeBegin() {
        return type;
    }

    /**
     * How long MsgType is.
     *
     * @return bytes
     */
    public int typeLength() {
        return typeLength;
    }

    /**
     * MsgSeqNum.
     *
     * @return the number, -1 where it is absent or none
     */
    public long sequence() {
        return sequence;
    }

    /** The invalid field of the header, 0 where there is none. */
    int badTag() {
        return rules.badTag();
    }

    boolean isPossDup() {
        return possDup;
    }

    boolean hasTime() {
        return timeLength > 0;
    }

    long timeMs() {
        return TimestampText.parse(buffer, time, timeLength);
    }

    int timeAt() {
        return time;
    }

    String timeText() {
        return text(time, timeLength);
    }

    boolean hasOrigTime() {
        return origTimeLength > 0;
    }

    long origTimeMs() {
        return TimestampText.parse(buffer, origTime, origTimeLength);
    }

    boolean hasCompIds() {
        return senderLength > 0 && targetLength > 0;
    }

    /**
     * The bytes it is in.
     *
     * @return a buffer over an array; valid until the call that brought it returns
     */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /**
     * The array it is in.
     *
     * @return that of {@link #buffer()}
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Where the first field after the standard header begins.
     *
     * @return an offset
     */
    public int fieldsBegin() {
        return fields;
    }

    /**
     * Where the checksum field begins.
     *
     * @return an offset
     */
    public int fieldsEnd() {
        return bodyEnd;
    }

    /**
     * How long the message is, header and trailer included.
     *
     * @return bytes
     */
    public int length() {
        return end - begin;
    }

    /** Where it begins. */
    int begin() {
        return begin;
    }

    /**
     * The rules for every field of a standard header: it is present once and has a value (test
     * cases 14.d, 14.h); data is as long as the field before it says; nothing is encrypted (14.n,
     * 17). Keeps the first error. Single-threaded, allocates nothing.
     */
    private static final class HeaderRules {
        /** SecureDataLen, XmlDataLen: the next field has the length that they state. */
        private static final int SECURE_DATA_LENGTH = 90;

        private static final int XML_DATA_LENGTH = 212;

        private long seen;
        private int reason;
        private int badTag;
        private int dataBytes;

        HeaderRules() {}

        /** A message begins. */
        void begin() {
            seen = 0;
            reason = RejectReason.NONE;
            badTag = 0;
            dataBytes = -1;
        }

        /** Looks at the field that was just reached; data may hold ends of fields. */
        void take(final FixFields field, final InboundMessage message) {
            final long bit = 1L << Tags.placeInHeader(field.tag());
            final boolean isData = dataBytes >= 0;
            if (isData && !field.skipTo(dataBytes)) {
                wrong(RejectReason.INCORRECT_FORMAT, field.tag());
            } else if (field.valueLength() == 0) {
                wrong(RejectReason.TAG_WITHOUT_VALUE, field.tag());
            } else if ((seen & bit) != 0) {
                wrong(RejectReason.TAG_REPEATED, field.tag());
            } else if (field.tag() == Tags.SECURE_DATA) {
                wrong(RejectReason.DECRYPTION_PROBLEM, Tags.SECURE_DATA);
            }
            seen |= bit;
            dataBytes =
                    field.tag() == SECURE_DATA_LENGTH || field.tag() == XML_DATA_LENGTH
                            ? (int)
                                    message.number(
                                            field.valueBegin(), Math.min(9, field.valueLength()))
                            : -1;
        }

        private void wrong(final int what, final int tag) {
            if (reason == RejectReason.NONE) {
                reason = what;
                badTag = tag;
            }
        }

        /** There is no valid field. */
        void malformed(final int why) {
            wrong(why, 0);
        }

        /** The first error, {@link RejectReason#NONE} where there was none. */
        int reason() {
            return reason;
        }

        /** The first invalid field, 0 where there is none. */
        int badTag() {
            return badTag;
        }
    }

    /**
     * The bytes of a parsed header, BeginString and from MsgType to {@code 34=}: where the next
     * message has the same, only its sequence number and time are read. Single thread, allocates
     * nothing.
     */
    private static final class KnownHeader {
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
         * Keeps the first field of a message, and bytes from its third on that end with {@code
         * 34=}; none where their count is 0 or too large.
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

        /**
         * Whether a header is these bytes, a number, 52= with milliseconds, and no further field.
         */
        boolean matches(final byte[] bytes, final int message, final int begin, final int end) {
            if (length == 0
                    || begin + length + ROOM_BEHIND > end
                    || !Arrays.equals(bytes, begin, begin + length, known, 0, length)
                    || !Arrays.equals(
                            bytes, message, message + startLength, start, 0, startLength)) {
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
}
