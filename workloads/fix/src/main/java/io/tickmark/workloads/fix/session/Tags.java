package io.tickmark.workloads.fix.session;

/** Numbers of the fields that the session layer and the workload look at. */
public final class Tags {
    /** CheckSum. */
    static final int CHECK_SUM = 10;

    /** Signature. */
    static final int SIGNATURE = 89;

    /** SecureData, the encrypted part of a message. */
    static final int SECURE_DATA = 91;

    /** SignatureLength. */
    static final int SIGNATURE_LENGTH = 93;

    /** OnBehalfOfCompID. */
    static final int ON_BEHALF_OF_COMP_ID = 115;

    /** DeliverToCompID. */
    static final int DELIVER_TO_COMP_ID = 128;

    /** BeginSeqNo of a ResendRequest. */
    public static final int BEGIN_SEQ_NO = 7;

    /** EndSeqNo of a ResendRequest; 0 for all that follow. */
    public static final int END_SEQ_NO = 16;

    /** MsgSeqNum. */
    public static final int MSG_SEQ_NUM = 34;

    /** MsgType. */
    public static final int MSG_TYPE = 35;

    /** NewSeqNo of a SequenceReset. */
    public static final int NEW_SEQ_NO = 36;

    /** PossDupFlag. */
    public static final int POSS_DUP_FLAG = 43;

    /** RefSeqNum. */
    public static final int REF_SEQ_NUM = 45;

    /** SenderCompID. */
    public static final int SENDER_COMP_ID = 49;

    /** SendingTime. */
    public static final int SENDING_TIME = 52;

    /** Symbol. */
    public static final int SYMBOL = 55;

    /** TargetCompID. */
    public static final int TARGET_COMP_ID = 56;

    /** Text. */
    public static final int TEXT = 58;

    /** PossResend. */
    public static final int POSS_RESEND = 97;

    /** EncryptMethod. */
    public static final int ENCRYPT_METHOD = 98;

    /** HeartBtInt. */
    public static final int HEART_BT_INT = 108;

    /** TestReqID. */
    public static final int TEST_REQ_ID = 112;

    /** OrigSendingTime. */
    public static final int ORIG_SENDING_TIME = 122;

    /** GapFillFlag. */
    public static final int GAP_FILL_FLAG = 123;

    /** ResetSeqNumFlag. */
    public static final int RESET_SEQ_NUM_FLAG = 141;

    /** NoRelatedSym, a repeating group. */
    public static final int NO_RELATED_SYM = 146;

    /** MDReqID. */
    public static final int MD_REQ_ID = 262;

    /** SubscriptionRequestType. */
    public static final int SUBSCRIPTION_REQUEST_TYPE = 263;

    /** MDUpdateType. */
    public static final int MD_UPDATE_TYPE = 265;

    /** NoMDEntryTypes, a repeating group. */
    public static final int NO_MD_ENTRY_TYPES = 267;

    /** NoMDEntries, a repeating group. */
    public static final int NO_MD_ENTRIES = 268;

    /** MDEntryType. */
    public static final int MD_ENTRY_TYPE = 269;

    /** RefTagID of a Reject. */
    public static final int REF_TAG_ID = 371;

    /** TestMessageIndicator. */
    public static final int TEST_MESSAGE_INDICATOR = 464;

    /** Username. */
    public static final int USERNAME = 553;

    /** Password. */
    public static final int PASSWORD = 554;

    /** DefaultApplVerID. */
    public static final int DEFAULT_APPL_VER_ID = 1137;

    /** Fields of the standard header (FIX 5.0 SP2 session layer, StandardHeader). */
    private static final int[] OF_HEADER = {
        8, 9, 35, 49, 56, 115, 128, 90, 91, 34, 50, 142, 57, 143, 116, 144, 129, 145, 43, 97, 52,
        122, 212, 213, 347, 369, 627, 628, 629, 630, 1128, 1129, 1156
    };

    private static final int[] DATA_LENGTHS = {
        93, 95, 348, 350, 352, 354, 356, 358, 360, 362, 364, 445, 618, 621, 1184, 1277, 1280, 1282,
        1397, 1401, 1403
    };

    /** Fields of type NumInGroup, or that begin a group, of FIX 4.2, 4.4, 5.0 SP2 and FIXT 1.1. */
    private static final int[] GROUP_COUNTS = {
        33, 73, 78, 85, 124, 136, 146, 199, 215, 232, 267, 268, 295, 296, 382, 384, 386, 398, 420,
        428, 453, 454, 457, 473, 510, 518, 534, 539, 552, 555, 558, 576, 580, 604, 627, 670, 683,
        702, 711, 735, 753, 756, 768, 778, 781, 801, 802, 804, 806, 809, 816, 862, 864, 870, 887,
        897, 936, 938, 948, 952, 957, 981, 984, 1016, 1018, 1052, 1058, 1062, 1116, 1120, 1141,
        1158, 1165, 1175, 1177, 1201, 1205, 1218, 1232, 1234, 1235, 1236, 1237, 1239, 1286, 1292,
        1296, 1309, 1310, 1311, 1312, 1334, 1342, 1351, 1362, 1370, 1387, 1413, 1414, 1445, 1461,
        1475, 1483, 1491, 1494, 1499
    };

    /** Beyond it are fields of later extension packs and of users, whose groups are not known. */
    private static final int HIGHEST_WITH_KNOWN_GROUPS = 1499;

    private static final int HIGHEST_DATA_LENGTH = 1403;
    private static final boolean[] IS_DATA_LENGTH = new boolean[HIGHEST_DATA_LENGTH + 1];
    private static final boolean[] IS_GROUP_COUNT = new boolean[HIGHEST_WITH_KNOWN_GROUPS + 1];

    private static final int HIGHEST_OF_HEADER = 1156;

    /** Number of each tag among those of the header, from 1; 0 for all others. */
    private static final byte[] PLACES = new byte[HIGHEST_OF_HEADER + 1];

    static {
        for (int i = 0; i < OF_HEADER.length; i++) {
            PLACES[OF_HEADER[i]] = (byte) (i + 1);
        }
        for (final int tag : DATA_LENGTHS) {
            IS_DATA_LENGTH[tag] = true;
        }
        for (final int tag : GROUP_COUNTS) {
            IS_GROUP_COUNT[tag] = true;
        }
    }

    private Tags() {}

    /**
     * Whether a field belongs to the standard header.
     *
     * @param tag its number, not negative
     * @return true if so
     */
    public static boolean isOfHeader(final int tag) {
        return tag <= HIGHEST_OF_HEADER && PLACES[tag] != 0;
    }

    /** A small number for a tag of the standard header, below 64; no two have the same. */
    static int placeInHeader(final int tag) {
        return PLACES[tag];
    }

    /**
     * Whether the next field is data of the length that this one states: RawDataLength,
     * EncodedTextLen and the like (FIX 5.0 SP2, fields of type Length before one of type data).
     */
    static boolean isDataLength(final int tag) {
        return tag <= HIGHEST_DATA_LENGTH && IS_DATA_LENGTH[tag];
    }

    /** Whether a field belongs to the standard trailer. */
    static boolean isOfTrailer(final int tag) {
        return tag == CHECK_SUM || tag == SIGNATURE || tag == SIGNATURE_LENGTH;
    }

    /**
     * Whether a field counts the entries of a repeating group.
     *
     * @param tag its number, not negative
     * @return true for the field before the first entry of such a group
     */
    public static boolean isGroupCount(final int tag) {
        return tag <= HIGHEST_WITH_KNOWN_GROUPS && IS_GROUP_COUNT[tag];
    }

    /** Whether a field may be of a group that is not known here, so that it may occur twice. */
    static boolean isOfUnknownGroup(final int tag) {
        return tag > HIGHEST_WITH_KNOWN_GROUPS;
    }
}
