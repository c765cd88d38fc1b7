package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixFields;

/** Looks for fields among others, past data that may hold ends of fields. Allocates nothing. */
final class FieldSearch {
    private static final byte SOH = 1;

    /** Lengths of data have fewer digits. */
    private static final int MOST_DIGITS = 9;

    private FieldSearch() {}

    /** The cursor, at the first field with a tag from its position on; null where there is none. */
    static FixFields find(final InboundMessage message, final int tag, final FixFields among) {
        int dataBytes = -1;
        while (among.next()) {
            if (dataBytes >= 0 && !among.skipTo(dataBytes)) {
                return null;
            }
            if (among.tag() == tag) {
                return among;
            }
            dataBytes = dataBytes(message, among);
        }
        return null;
    }

    /** The length of the next field where this one states it, otherwise -1. */
    static int dataBytes(final InboundMessage message, final FixFields field) {
        return Tags.isDataLength(field.tag())
                ? (int)
                        message.number(
                                field.valueBegin(), Math.min(MOST_DIGITS, field.valueLength()))
                : -1;
    }

    /**
     * Why there is no valid field: an invalid tag, or the rest of a value that contains SOH (test
     * cases 14.a, 14.k).
     */
    static int malformed(final byte[] bytes, final int from, final int end) {
        for (int i = from; i < end && bytes[i] != SOH; i++) {
            if (bytes[i] == '=') {
                return RejectReason.INVALID_TAG_NUMBER;
            }
        }
        return RejectReason.NON_DATA_WITH_SOH;
    }
}
