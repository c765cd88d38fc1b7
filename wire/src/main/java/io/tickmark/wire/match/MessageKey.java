package io.tickmark.wire.match;

import io.tickmark.wire.fix.FixFields;
import io.tickmark.wire.fix.FixFramer;
import io.tickmark.wire.net.Hashing;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The identity of a FIX message: the value of one tag, or all of its body except what a session
 * changes. Single-threaded, allocates nothing after construction.
 */
final class MessageKey {
    /** Standard header and trailer of FIX 4.2 to 5.0 SP2: differs from session to session. */
    private static final int[] SESSION_TAGS = {
        8, 9, 10, 34, 35, 43, 49, 50, 52, 56, 57, 89, 90, 91, 93, 97, 115, 116, 122, 128, 129, 142,
        143, 144, 145, 212, 213, 347, 369, 370, 627, 628, 629, 630, 1128, 1129, 1137, 1156
    };

    private static final int MAX_SESSION_TAG = 1156;
    private static final long SEED = 0x7469_636b_6d61_726bL;
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long ENDS_OF_FIELDS = FixFramer.SOH * LOW_BITS;

    /** PossDupFlag (FIX 4.2 to 5.0 SP2, standard header), with the ends of fields around it. */
    private static final String SENT_AGAIN = "\u000143=Y\u0001";

    private static final long SENT_AGAIN_PATTERN = little(SENT_AGAIN);
    private static final long SENT_AGAIN_MASK = maskOf(SENT_AGAIN);

    private final long[] patterns;
    private final long[] masks;
    private final int[] patternBytes;
    private final boolean[] isOfSession = new boolean[MAX_SESSION_TAG + 1];
    private final FixFields fields = new FixFields();
    private final byte[] mask;
    private final boolean isInHeader;
    private boolean isSentAgain;
    private boolean isByBody;
    private boolean isWanted;

    /** All of the tags identify a message together; they are of at most six digits. */
    MessageKey(final FixRules.Identity identity) {
        final List<Integer> tags = identity.tags();
        mask = identity.mask().getBytes(StandardCharsets.US_ASCII);
        patterns = new long[tags.size()];
        masks = new long[tags.size()];
        patternBytes = new int[tags.size()];
        for (int i = 0; i < tags.size(); i++) {
            final String text = "\u0001" + tags.get(i) + "=";
            patternBytes[i] = text.length();
            patterns[i] = little(text);
            masks[i] = maskOf(text);
        }
        for (final int tag : SESSION_TAGS) {
            isOfSession[tag] = true;
        }
        isInHeader = tags.stream().allMatch(tag -> tag <= MAX_SESSION_TAG && isOfSession[tag]);
    }

    /** At most eight characters as they are read, little-endian. */
    private static long little(final String text) {
        long bytes = 0;
        for (int at = text.length() - 1; at >= 0; at--) {
            bytes = bytes << Byte.SIZE | text.charAt(at);
        }
        return bytes;
    }

    private static long maskOf(final String text) {
        return -1L >>> Long.SIZE - Byte.SIZE * text.length();
    }

    /** The key of a message whose body (after field 9, before field 10) lies here. */
    long of(final DirectBuffer buffer, final int bodyBegin, final int bodyEnd) {
        long hash = SEED;
        isByBody = patterns.length == 0;
        isWanted = mask.length == 0;
        isSentAgain = false;
        for (int i = 0; i < patterns.length && !isByBody; i++) {
            final int field = find(buffer, bodyBegin - 1, bodyEnd, patterns[i], masks[i]);
            if (field < 0) {
                isByBody = true;
            } else {
                final int value = field + patternBytes[i];
                isWanted |= i == 0 && fits(buffer, value);
                hash = mixField(hash, buffer, value);
            }
        }
        if (isInHeader) {
            find(buffer, bodyBegin - 1, bodyEnd, SENT_AGAIN_PATTERN, SENT_AGAIN_MASK);
        }
        return isByBody ? ofBody(buffer, bodyBegin, bodyEnd) : hash;
    }

    /** A value that is shorter ends in a byte that is in no mask. */
    private boolean fits(final DirectBuffer buffer, final int value) {
        for (int i = 0; i < mask.length; i++) {
            final byte there = buffer.getByte(value + i);
            if (there == FixFramer.SOH || mask[i] != '?' && mask[i] != there) {
                return false;
            }
        }
        return true;
    }

    /** Whether the last message counts: its identity begins as is asked for. */
    boolean isWanted() {
        return isWanted;
    }

    /**
     * Whether the last message says that it may be one sent before (43=Y): seen on the way to a tag
     * that stands after the header; without such a tag all is looked through.
     */
    boolean isSentAgain() {
        return isSentAgain;
    }

    /** Whether the last key was made of the body, because a tag was not there. */
    boolean isByBody() {
        return isByBody;
    }

    /**
     * Where a field begins, or -1; takes note of 43=Y up to there. Eight bytes can be read from
     * every place before the end, as seven of the checksum field follow: so ends of fields are
     * looked for in eight bytes at a time. What the bit trick takes for one wrongly (H. S. Warren,
     * Hacker's Delight, 6-1: above the first) begins no tag.
     */
    private int find(
            final DirectBuffer buffer,
            final int from,
            final int end,
            final long pattern,
            final long mask) {
        for (int at = from; at < end; at += Long.BYTES) {
            final long word = buffer.getLong(at, ByteOrder.LITTLE_ENDIAN) ^ ENDS_OF_FIELDS;
            long found = word - LOW_BITS & ~word & HIGH_BITS;
            for (; found != 0; found &= found - 1) {
                final int field = at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
                if (field >= end) {
                    return -1;
                }
                final long begin = buffer.getLong(field, ByteOrder.LITTLE_ENDIAN);
                isSentAgain |= (begin & SENT_AGAIN_MASK) == SENT_AGAIN_PATTERN;
                if ((begin & mask) == pattern) {
                    return field;
                }
            }
        }
        return -1;
    }

    /**
     * Eight bytes at a time, which can be read as in {@link #find}; those after the value are left
     * out.
     */
    private static long mixField(final long seed, final DirectBuffer buffer, final int from) {
        long hash = seed;
        for (int at = from; ; at += Long.BYTES) {
            final long word = buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
            final long ends = word ^ ENDS_OF_FIELDS;
            final long found = ends - LOW_BITS & ~ends & HIGH_BITS;
            if (found == 0) {
                hash = Hashing.mix(hash, word);
            } else {
                // up to the first end, which is among what is mixed: no value is the beginning of
                // another
                final int bits = Long.numberOfTrailingZeros(found) + 1;
                return Hashing.mix(hash, word & -1L >>> Long.SIZE - bits);
            }
        }
    }

    private long ofBody(final DirectBuffer buffer, final int bodyBegin, final int bodyEnd) {
        long hash = SEED;
        fields.wrap(buffer, bodyBegin, bodyEnd);
        while (fields.next()) {
            final int tag = fields.tag();
            if (tag > MAX_SESSION_TAG || !isOfSession[tag]) {
                hash = Hashing.mix(hash, tag);
                hash = mixBytes(hash, buffer, fields.valueBegin(), fields.valueLength());
            }
        }
        return Hashing.spread(hash);
    }

    private static long mixBytes(
            final long seed, final DirectBuffer buffer, final int offset, final int length) {
        long hash = Hashing.mix(seed, length);
        int at = offset;
        final int end = offset + length;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            hash = Hashing.mix(hash, buffer.getLong(at, ByteOrder.LITTLE_ENDIAN));
        }
        for (; at < end; at++) {
            hash = Hashing.mix(hash, buffer.getByte(at));
        }
        return hash;
    }
}
