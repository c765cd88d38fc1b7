package io.tickmark.workloads.fix.session;

/** Values of SessionRejectReason (373), as the FIX session layer numbers them. */
public final class RejectReason {
    /** No error; 0 is a reason itself. */
    static final int NONE = -1;

    /** A field is not {@code number=value}, or its number is invalid. */
    public static final int INVALID_TAG_NUMBER = 0;

    /** A field that must be there is not. */
    public static final int REQUIRED_TAG_MISSING = 1;

    /** A field that this type of message does not have. */
    public static final int TAG_NOT_DEFINED_FOR_TYPE = 2;

    /** A field without a value. */
    public static final int TAG_WITHOUT_VALUE = 4;

    /** A value outside of those allowed. */
    public static final int VALUE_INCORRECT = 5;

    /** A value that is not of its type. */
    public static final int INCORRECT_FORMAT = 6;

    /** Encrypted data, which cannot be decrypted since FIX has abandoned its encryption. */
    public static final int DECRYPTION_PROBLEM = 7;

    /** A signature whose length differs from the stated one. */
    public static final int SIGNATURE_PROBLEM = 8;

    /** Wrong comp ids. */
    public static final int COMP_ID_PROBLEM = 9;

    /** A sending time too far from ours, or before the original one. */
    public static final int SENDING_TIME_ACCURACY = 10;

    /** A type of message that FIX does not have. */
    public static final int INVALID_MSG_TYPE = 11;

    /** A field twice outside of a group. */
    public static final int TAG_REPEATED = 13;

    /** A header field after the header, or a body field after those of the trailer. */
    public static final int OUT_OF_ORDER = 14;

    /** The fields of a repeating group in another order than the specification's. */
    public static final int GROUP_OUT_OF_ORDER = 15;

    /** A repeating group whose number of entries differs from its count. */
    public static final int GROUP_COUNT = 16;

    /** SOH within a value that is not data. */
    public static final int NON_DATA_WITH_SOH = 17;

    private RejectReason() {}

    /**
     * The text of the reason, for Text (58).
     *
     * @param reason value of 373
     * @return the words
     */
    static String text(final int reason) {
        return switch (reason) {
            case INVALID_TAG_NUMBER -> "Invalid tag number";
            case REQUIRED_TAG_MISSING -> "Required tag missing";
            case TAG_NOT_DEFINED_FOR_TYPE -> "Tag not defined for this message type";
            case TAG_WITHOUT_VALUE -> "Tag specified without a value";
            case VALUE_INCORRECT -> "Value is incorrect (out of range) for this tag";
            case INCORRECT_FORMAT -> "Incorrect data format for value";
            case DECRYPTION_PROBLEM -> "Decryption problem";
            case SIGNATURE_PROBLEM -> "Signature problem";
            case COMP_ID_PROBLEM -> "CompID problem";
            case SENDING_TIME_ACCURACY -> "SendingTime accuracy problem";
            case INVALID_MSG_TYPE -> "Invalid MsgType";
            case TAG_REPEATED -> "Tag appears more than once";
            case OUT_OF_ORDER -> "Tag specified out of required order";
            case GROUP_OUT_OF_ORDER -> "Repeating group fields out of order";
            case NON_DATA_WITH_SOH -> "Non \"data\" value includes field delimiter";
            case GROUP_COUNT -> "Incorrect NumInGroup count for repeating group";
            default -> "Other";
        };
    }
}
