package io.tickmark.workloads.fix.dictionary;

import java.util.List;
import java.util.Map;
import org.agrona.collections.Int2IntHashMap;

/**
 * The content of a message of one type after its header.
 *
 * @param body its fields
 * @param isComplete whether it may have no other fields
 * @param required fields that are always present
 * @param requiredToo further fields that the specification requires
 * @param needs fields that are required by others
 */
public record Definition(
        Group body,
        boolean isComplete,
        List<Integer> required,
        List<Integer> requiredToo,
        List<Need> needs) {
    /** Copies the lists. */
    public Definition {
        required = List.copyOf(required);
        requiredToo = List.copyOf(requiredToo);
        needs = List.copyOf(needs);
    }

    /**
     * A field that another one requires.
     *
     * @param tag that must be there
     * @param because the other one
     * @param values of the other one that make it so, a character each
     */
    public record Need(int tag, int because, List<Character> values) {
        /** Copies the list. */
        public Need {
            values = List.copyOf(values);
        }

        /**
         * Whether a field requires it.
         *
         * @param other its number
         * @param bytes its value is in
         * @param at where the value begins
         * @param length of the value
         * @return true if so
         */
        public boolean isBecauseOf(
                final int other, final byte[] bytes, final int at, final int length) {
            return other == because && length == 1 && values.contains((char) bytes[at]);
        }
    }

    /**
     * Fields that belong together: the body of a message, or the entries of a repeating group.
     * Immutable once read; any thread.
     */
    public static final class Group {
        private final Int2IntHashMap places = new Int2IntHashMap(0);
        private final Map<Integer, Group> groups;

        /**
         * Fields in order.
         *
         * @param tags the first begins each entry
         * @param groups those among them that count entries, with the fields of the entries
         */
        Group(final List<Integer> tags, final Map<Integer, Group> groups) {
            this.groups = Map.copyOf(groups);
            for (final int tag : tags) {
                places.put(tag, places.size() + 1);
            }
        }

        /**
         * The position of a field among these.
         *
         * @param tag its number
         * @return from 1, 0 where it is none of them
         */
        public int place(final int tag) {
            return places.get(tag);
        }

        /**
         * The group that a field counts.
         *
         * @param tag one of these fields
         * @return the group, null where it counts none
         */
        public Group group(final int tag) {
            return groups.get(tag);
        }

        /**
         * How many fields there are.
         *
         * @return the count, groups counted once
         */
        public int size() {
            return places.size();
        }
    }
}
