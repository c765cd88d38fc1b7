package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixFields;

/** What must be in a message, by its type: the session layer's own, and those of market data. */
final class AdminRules {
    private static final int[] LOGON = {Tags.ENCRYPT_METHOD, Tags.HEART_BT_INT};
    private static final int[] TEST_REQUEST = {Tags.TEST_REQ_ID};
    private static final int[] RESEND_REQUEST = {Tags.BEGIN_SEQ_NO, Tags.END_SEQ_NO};
    private static final int[] REJECT = {Tags.REF_SEQ_NUM};
    private static final int[] SEQUENCE_RESET = {Tags.NEW_SEQ_NO};
    private static final int[] MARKET_DATA_REQUEST = {
        Tags.MD_REQ_ID,
        Tags.SUBSCRIPTION_REQUEST_TYPE,
        264,
        Tags.NO_MD_ENTRY_TYPES,
        Tags.NO_RELATED_SYM
    };
    private static final int[] MARKET_DATA = {Tags.NO_MD_ENTRIES};
    private static final int[] NONE = {};

    private int badTag;

    AdminRules() {}

    /** Checks a message whose fields are well-formed; -1 where all is well, else the reason. */
    int check(final InboundMessage message) {
        badTag = 0;
        for (final int tag : required(message.typeChar())) {
            if (message.find(tag) == null) {
                badTag = tag;
                return RejectReason.REQUIRED_TAG_MISSING;
            }
        }
        return isAdmin(message.typeChar()) ? values(message) : -1;
    }

    private static int[] required(final char type) {
        return switch (type) {
            case 'A' -> LOGON;
            case '1' -> TEST_REQUEST;
            case '2' -> RESEND_REQUEST;
            case '3' -> REJECT;
            case '4' -> SEQUENCE_RESET;
            case 'V' -> MARKET_DATA_REQUEST;
            case 'W', 'X' -> MARKET_DATA;
            default -> NONE;
        };
    }

    private int values(final InboundMessage message) {
        final FixFields fields = message.fields();
        while (fields.next()) {
            final int reason = value(message, fields);
            if (reason >= 0) {
                badTag = fields.tag();
                return reason;
            }
        }
        return -1;
    }

    private static int value(final InboundMessage message, final FixFields field) {
        final int at = field.valueBegin();
        final int length = field.valueLength();
        return switch (field.tag()) {
            case Tags.HEART_BT_INT,
                    Tags.BEGIN_SEQ_NO,
                    Tags.END_SEQ_NO,
                    Tags.NEW_SEQ_NO,
                    Tags.REF_SEQ_NUM ->
                    message.number(at, length) < 0 ? RejectReason.INCORRECT_FORMAT : -1;
            case Tags.ENCRYPT_METHOD ->
                    message.number(at, length) == 0 ? -1 : RejectReason.VALUE_INCORRECT;
            case Tags.GAP_FILL_FLAG, Tags.RESET_SEQ_NUM_FLAG, Tags.TEST_MESSAGE_INDICATOR ->
                    isYesOrNo(message.bytes()[at], length) ? -1 : RejectReason.VALUE_INCORRECT;
            case Tags.SYMBOL, Tags.NO_MD_ENTRIES, Tags.MD_REQ_ID ->
                    RejectReason.TAG_NOT_DEFINED_FOR_TYPE;
            default -> -1;
        };
    }

    private static boolean isYesOrNo(final byte value, final int length) {
        return length == 1 && (value == 'Y' || value == 'N');
    }

    /** The field that was wrong, 0 where none is to blame. */
    int badTag() {
        return badTag;
    }

    /** Whether a type belongs to the session layer. */
    static boolean isAdmin(final char type) {
        return type >= '0' && type <= '5' || type == 'A';
    }

    /** Whether FIX has such a type, or leaves it to users (U and what follows). */
    static boolean isMsgType(final InboundMessage message) {
        final String type = message.typeChar() == 0 ? message.type() : "";
        final char only = message.typeChar();
        return only == 0
                ? type.length() == 2 && type.charAt(0) >= 'A' && type.charAt(0) <= 'D'
                        || type.startsWith("U") && type.length() <= 4
                : only >= '0' && only <= '9'
                        || only >= 'A' && only <= 'Z'
                        || only >= 'a' && only <= 'z';
    }
}
