package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixFields;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One pass over the fields after the header: checks them and records where the requested ones are.
 * Outside of repeating groups, no field may be duplicated whose groups are known; inside, the
 * number of entries must match the group's count. Single-threaded, allocates nothing.
 */
public final class BodyScan {
    private static final int MARKS = 10_000;

    /** In place of a place: a field of the trailer. */
    private static final byte TRAILER = -1;

    private final FixFields cursor = new FixFields();
    private final byte[] wantedPlace = new byte[MARKS];
    private final int[] seenIn = new int[MARKS];
    private final int[] begins;
    private final int[] lengths;
    private int scan;
    private int badTag;
    private int groupTag;
    private int groupFirst;
    private long groupLeft;
    private boolean inGroup;
    private boolean isCounting;
    private int dataBytes;
    private int lengthTag;
    private int trailer;

    /**
     * A scan.
     *
     * @param wanted tags below 10,000 to remember, at most 100
     */
    public BodyScan(final int... wanted) {
        begins = new int[wanted.length];
        lengths = new int[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            wantedPlace[wanted[i]] = (byte) (i + 1);
        }
        wantedPlace[Tags.CHECK_SUM] = TRAILER;
        wantedPlace[Tags.SIGNATURE] = TRAILER;
        wantedPlace[Tags.SIGNATURE_LENGTH] = TRAILER;
    }

    /**
     * Goes over a message.
     *
     * @param message to scan
     * @param countsGroups whether entries are counted here, and not by a dictionary
     * @return -1 where all is well, else the {@link RejectReason}
     */
    int scan(final InboundMessage message, final boolean countsGroups) {
        scan++;
        isCounting = countsGroups;
        java.util.Arrays.fill(begins, -1);
        badTag = 0;
        inGroup = false;
        groupTag = 0;
        groupLeft = 0;
        dataBytes = -1;
        trailer = -1;
        final UnsafeBuffer buffer = message.buffer();
        cursor.wrap(buffer, message.fieldsBegin(), message.fieldsEnd());
        while (cursor.next()) {
            final int reason = field(message);
            if (reason >= 0) {
                badTag = cursor.tag();
                return reason;
            }
        }
        if (cursor.isMalformed()) {
            return FieldSearch.malformed(message.bytes(), cursor.position(), message.fieldsEnd());
        }
        if (trailer >= 0 && !isTrailerLast(message)) {
            return RejectReason.OUT_OF_ORDER;
        }
        if (groupTag != 0 && groupLeft != 0) {
            badTag = groupTag;
            return RejectReason.GROUP_COUNT;
        }
        return -1;
    }

    /** After the first field of the trailer only other trailer fields may follow. */
    private boolean isTrailerLast(final InboundMessage message) {
        cursor.wrap(message.buffer(), trailer, message.fieldsEnd());
        dataBytes = -1;
        while (cursor.next()) {
            if (dataBytes >= 0) {
                cursor.skipTo(dataBytes);
            }
            badTag = cursor.tag();
            if (!Tags.isOfTrailer(badTag) || badTag == Tags.CHECK_SUM) {
                return false; // the real CheckSum is not among these fields
            }
            dataBytes = FieldSearch.dataBytes(message, cursor);
        }
        badTag = 0;
        return true;
    }

    private int field(final InboundMessage message) {
        final int tag = cursor.tag();
        if (dataBytes >= 0) {
            final int length = dataBytes;
            dataBytes = -1;
            if (!cursor.skipTo(length)) {
                return lengthTag == Tags.SIGNATURE_LENGTH
                        ? RejectReason.SIGNATURE_PROBLEM
                        : RejectReason.INCORRECT_FORMAT;
            }
        }
        if (cursor.valueLength() == 0) {
            return RejectReason.TAG_WITHOUT_VALUE;
        }
        if (Tags.isOfHeader(tag)) {
            return RejectReason.OUT_OF_ORDER;
        }
        if (Tags.isDataLength(tag)) {
            lengthTag = tag;
            dataBytes = FieldSearch.dataBytes(message, cursor);
        }
        if (Tags.isGroupCount(tag)) {
            return beginGroup(message);
        }
        if (inGroup) {
            return entry(tag);
        }
        return single(tag);
    }

    private int single(final int tag) {
        if (Tags.isOfUnknownGroup(tag)) {
            remember(tag);
            return -1;
        }
        if (seenIn[tag] == scan) {
            return RejectReason.TAG_REPEATED;
        }
        seenIn[tag] = scan;
        remember(tag);
        return -1;
    }

    private void remember(final int tag) {
        final int place = tag < MARKS ? wantedPlace[tag] : 0;
        if (place > 0 && begins[place - 1] < 0) {
            begins[place - 1] = cursor.valueBegin();
            lengths[place - 1] = cursor.valueLength();
        } else if (place == TRAILER && trailer < 0) {
            trailer = cursor.valueBegin() - "89=".length(); // their numbers have two digits
        }
    }

    private int beginGroup(final InboundMessage message) {
        if (inGroup && groupLeft != 0) {
            // a group within an entry is counted by its own messages' readers, not here
            return groupTag == cursor.tag() ? RejectReason.TAG_REPEATED : -1;
        }
        remember(cursor.tag());
        final long count = message.number(cursor.valueBegin(), cursor.valueLength());
        if (count < 0) {
            return RejectReason.INCORRECT_FORMAT;
        }
        if (count == 0) {
            return -1; // the following fields belong to no entry
        }
        inGroup = true;
        if (isCounting) {
            groupTag = cursor.tag();
            groupLeft = count;
            groupFirst = 0;
        }
        return -1;
    }

    /** The first field of a group begins each of its entries. */
    private int entry(final int tag) {
        remember(tag);
        if (!isCounting) {
            return -1;
        }
        if (groupFirst == 0) {
            groupFirst = tag;
        }
        if (tag == groupFirst) {
            groupLeft--;
            return groupLeft < 0 ? RejectReason.GROUP_COUNT : -1;
        }
        return -1;
    }

    /** The invalid field of the last scan, 0 where there is none. */
    int badTag() {
        return badTag;
    }

    /**
     * Where the value of a requested field begins.
     *
     * @param place of its tag among those wanted
     * @return an offset, -1 where the message has none
     */
    public int begin(final int place) {
        return begins[place];
    }

    /**
     * Length of the value of a requested field.
     *
     * @param place of its tag among those wanted
     * @return bytes
     */
    public int length(final int place) {
        return lengths[place];
    }
}
