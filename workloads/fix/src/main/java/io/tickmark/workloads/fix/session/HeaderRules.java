package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixFields;

/**
 * What holds for every field of a standard header: it is there once and has a value (test cases
 * 14.d, 14.h); data is as long as the field before it says; nothing is encrypted (14.n, 17). Keeps
 * what was wrong first. Single thread, allocates nothing.
 */
final class HeaderRules {
    /** SecureDataLen, XmlDataLen: the next field is as long as they say. */
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
                        ? (int) message.number(field.valueBegin(), Math.min(9, field.valueLength()))
                        : -1;
    }

    private void wrong(final int what, final int tag) {
        if (reason == RejectReason.NONE) {
            reason = what;
            badTag = tag;
        }
    }

    /** What stands there is no field. */
    void malformed(final int why) {
        wrong(why, 0);
    }

    /** What was wrong first, {@link RejectReason#NONE} where nothing was. */
    int reason() {
        return reason;
    }

    /** The field that was wrong first, 0 where none is to blame. */
    int badTag() {
        return badTag;
    }
}
