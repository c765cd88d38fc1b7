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

    /** From here on tags are their users' own. */
    private static final int FIRST_OF_USERS = 5000;

    private static final int SESSION_STATUS = 1409;
    private static final int SIGNATURE = 89;
    private static final int SIGNATURE_LENGTH = 93;

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
            final int reason =
                    isDefined(message.typeChar(), fields.tag())
                            ? value(message, fields)
                            : RejectReason.TAG_NOT_DEFINED_FOR_TYPE;
            if (reason >= 0) {
                badTag = fields.tag();
                return reason;
            }
        }
        return -1;
    }

    /** Fields behind the header, of any version (FIX 5.0 SP2 with FIXT 1.1, session messages). */
    private static boolean isDefined(final char type, final int tag) {
        return tag >= FIRST_OF_USERS
                || tag == SIGNATURE
                || tag == SIGNATURE_LENGTH
                || switch (type) {
                    case '0', '1' -> tag == Tags.TEST_REQ_ID;
                    case '2' -> tag == Tags.BEGIN_SEQ_NO || tag == Tags.END_SEQ_NO;
                    case '3' ->
                            isText(tag)
                                    || tag == Tags.REF_SEQ_NUM
                                    || tag >= 371 && tag <= 373
                                    || tag == 1130
                                    || tag == 1131
                                    || tag == 1406;
                    case '4' -> tag == Tags.GAP_FILL_FLAG || tag == Tags.NEW_SEQ_NO;
                    case '5' -> isText(tag) || tag == SESSION_STATUS;
                    default -> isText(tag) || isOfLogon(tag);
                };
    }

    /** Text, EncodedTextLen, EncodedText. */
    private static boolean isText(final int tag) {
        return tag == Tags.TEXT || tag == 354 || tag == 355;
    }

    private static boolean isOfLogon(final int tag) {
        return switch (tag) {
            case Tags.ENCRYPT_METHOD,
                    Tags.HEART_BT_INT,
                    Tags.RESET_SEQ_NUM_FLAG,
                    Tags.TEST_MESSAGE_INDICATOR,
                    Tags.USERNAME,
                    Tags.PASSWORD,
                    Tags.DEFAULT_APPL_VER_ID,
                    SESSION_STATUS,
                    95,
                    96,
                    372,
                    383,
                    384,
                    385,
                    789,
                    925,
                    1130,
                    1131,
                    1400,
                    1401,
                    1402,
                    1403,
                    1404,
                    1406,
                    1407,
                    1408,
                    1410 ->
                    true;
            default -> false;
        };
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
