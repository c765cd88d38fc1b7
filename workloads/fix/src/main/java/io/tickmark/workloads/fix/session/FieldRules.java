package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixFields;
import io.tickmark.workloads.fix.dictionary.Definition;
import io.tickmark.workloads.fix.dictionary.Definition.Group;
import io.tickmark.workloads.fix.dictionary.Definition.Need;
import io.tickmark.workloads.fix.dictionary.Dictionary;
import java.util.List;

/**
 * The dictionary's rules for the fields of a well-formed message: test cases 14.a to 14.c, 14.e,
 * 14.f, 14.i, 14.j and 14.m. Single-threaded; {@link #missing} allocates nothing.
 */
final class FieldRules {
    private static final int FIRST_OF_USERS = 5000;

    private final Dictionary dictionary;
    private final Entries entries = new Entries();
    private int badTag;

    FieldRules(final FixVersion version) {
        dictionary = Dictionary.of(version.beginString());
    }

    /** Checks required fields: -1 where they are present, otherwise the reason. */
    int missing(final InboundMessage message) {
        return missing(message, dictionary.message(message.typeChar()).required());
    }

    private int missing(final InboundMessage message, final List<Integer> required) {
        badTag = 0;
        for (int i = 0; i < required.size(); i++) {
            if (message.find(required.get(i)) == null) {
                badTag = required.get(i);
                return RejectReason.REQUIRED_TAG_MISSING;
            }
        }
        return RejectReason.NONE;
    }

    /** Whether {@link #judge} sees to the groups of this type of message. */
    boolean knowsGroupsOf(final InboundMessage message) {
        return dictionary.message(message.typeChar()).isComplete();
    }

    /** All of it; not on a hot path. */
    int judge(final InboundMessage message) {
        final Definition definition = dictionary.message(message.typeChar());
        int reason = missing(message);
        if (reason < 0) {
            reason = missing(message, definition.requiredToo());
        }
        if (reason < 0) {
            entries.begin(definition.body(), definition.needs());
            reason = fields(message, definition);
        }
        return reason < 0 ? ends() : reason;
    }

    private int fields(final InboundMessage message, final Definition definition) {
        final FixFields fields = message.fields();
        int dataBytes = -1;
        while (fields.next()) {
            if (dataBytes >= 0) {
                fields.skipTo(dataBytes);
            }
            dataBytes = FieldSearch.dataBytes(message, fields);
            badTag = fields.tag();
            int reason = RejectReason.NONE;
            if (definition.isComplete() && !isOfAny(badTag)) {
                reason = place(message, fields);
            } else if (!dictionary.isGivenOut(badTag)) {
                reason = RejectReason.INVALID_TAG_NUMBER;
            }
            if (reason < 0) {
                reason = value(message, fields);
            }
            if (reason >= 0) {
                return reason;
            }
        }
        badTag = 0;
        return RejectReason.NONE;
    }

    /** Users' fields and those of the trailer may be in any message. */
    private static boolean isOfAny(final int tag) {
        return tag >= FIRST_OF_USERS || Tags.isOfTrailer(tag);
    }

    private int place(final InboundMessage message, final FixFields field) {
        final int tag = field.tag();
        final int reason = entries.take(tag);
        if (reason == RejectReason.TAG_NOT_DEFINED_FOR_TYPE && !dictionary.isGivenOut(tag)) {
            return RejectReason.INVALID_TAG_NUMBER;
        }
        if (reason >= 0) {
            badTag = entries.badTag();
            return reason;
        }
        final Group group = entries.groupOf(tag);
        if (group != null) {
            final long count = message.number(field.valueBegin(), field.valueLength());
            if (!entries.open(tag, group, count)) {
                return RejectReason.VALUE_INCORRECT;
            }
        }
        return RejectReason.NONE;
    }

    private int value(final InboundMessage message, final FixFields field) {
        final byte[] bytes = message.bytes();
        final int at = field.valueBegin();
        final int length = field.valueLength();
        if (!dictionary.isOfType(badTag, bytes, at, length)) {
            return RejectReason.INCORRECT_FORMAT;
        }
        entries.note(badTag, bytes, at, length);
        return dictionary.isValue(badTag, bytes, at, length)
                ? RejectReason.NONE
                : RejectReason.VALUE_INCORRECT;
    }

    private int ends() {
        final int reason = entries.end();
        badTag = reason < 0 ? 0 : entries.badTag();
        return reason;
    }

    /** The invalid field, 0 where there is none. */
    int badTag() {
        return badTag;
    }

    /** A missing field that another one of the message requires, 0 where none is missing. */
    int needed() {
        return entries.needed();
    }

    /** The current position: the body, an entry of a group in it, an entry in that. */
    private static final class Entries {
        /** NoRelatedSym, NoUnderlyings, NoUnderlyingSecurityAltID, and the body. */
        private static final int DEEPEST = 4;

        private final Group[] groups = new Group[DEEPEST];
        private final int[] counts = new int[DEEPEST];
        private final long[] left = new long[DEEPEST];
        private final int[] places = new int[DEEPEST];
        private final long[] wanted = new long[DEEPEST];
        private final long[] there = new long[DEEPEST];
        private List<Need> needs = List.of();
        private int depth;
        private int badTag;
        private int needed;

        void begin(final Group body, final List<Need> with) {
            needs = with;
            needed = 0;
            depth = 0;
            push(0, body, 0);
        }

        private void push(final int countTag, final Group group, final long count) {
            groups[depth] = group;
            counts[depth] = countTag;
            left[depth] = count;
            places[depth] = 0;
            wanted[depth] = 0;
            there[depth] = 0;
        }

        /** False where there is a group too many within groups, or too large a count. */
        boolean open(final int countTag, final Group group, final long count) {
            if (depth == DEEPEST - 1) {
                return false;
            }
            if (count > 0) {
                depth++;
                push(countTag, group, count);
            }
            return count >= 0;
        }

        Group groupOf(final int tag) {
            return groups[depth].group(tag);
        }

        int take(final int tag) {
            badTag = tag;
            int place = groups[depth].place(tag);
            while (place == 0 && depth > 0) {
                final int reason = close();
                if (reason >= 0) {
                    return reason;
                }
                place = groups[depth].place(tag);
            }
            if (depth == 0) {
                return place > 0 ? RejectReason.NONE : RejectReason.TAG_NOT_DEFINED_FOR_TYPE;
            }
            return entry(place);
        }

        private int entry(final int place) {
            if (place == 1) {
                noteMissing();
                if (left[depth]-- == 0) {
                    badTag = counts[depth];
                    return RejectReason.GROUP_COUNT;
                }
            } else if (place <= places[depth] || places[depth] == 0) {
                return RejectReason.GROUP_OUT_OF_ORDER;
            }
            places[depth] = place;
            return RejectReason.NONE;
        }

        private int close() {
            noteMissing();
            final boolean isWhole = left[depth] == 0;
            if (!isWhole) {
                badTag = counts[depth];
            }
            depth--;
            return isWhole ? RejectReason.NONE : RejectReason.GROUP_COUNT;
        }

        int end() {
            int reason = RejectReason.NONE;
            while (depth > 0 && reason < 0) {
                reason = close();
            }
            noteMissing();
            return reason;
        }

        void note(final int tag, final byte[] bytes, final int at, final int length) {
            for (int i = 0; i < needs.size(); i++) {
                if (needs.get(i).tag() == tag) {
                    there[depth] |= 1L << i;
                }
                if (needs.get(i).isBecauseOf(tag, bytes, at, length)) {
                    wanted[depth] |= 1L << i;
                }
            }
        }

        private void noteMissing() {
            final long missing = wanted[depth] & ~there[depth];
            if (missing != 0 && needed == 0) {
                needed = needs.get(Long.numberOfTrailingZeros(missing)).tag();
            }
            wanted[depth] = 0;
            there[depth] = 0;
        }

        int badTag() {
            return badTag;
        }

        int needed() {
            return needed;
        }
    }
}
