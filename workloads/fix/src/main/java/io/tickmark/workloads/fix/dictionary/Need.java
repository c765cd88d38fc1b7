package io.tickmark.workloads.fix.dictionary;

import java.util.List;

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
