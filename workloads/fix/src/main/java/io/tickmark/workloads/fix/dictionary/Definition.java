package io.tickmark.workloads.fix.dictionary;

import java.util.List;

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
}
