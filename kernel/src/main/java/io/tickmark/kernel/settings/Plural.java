package io.tickmark.kernel.settings;

import java.util.Locale;

/** A number with its noun, as in sentences for the user. */
public final class Plural {
    private Plural() {}

    /**
     * A number and its noun, with an s where it is not one.
     *
     * @param number how many
     * @param noun in the singular
     * @return for example {@code 3 repeats}, {@code 1 core}, {@code 12,000 messages}
     */
    public static String of(final long number, final String noun) {
        return of(number, noun, noun + "s");
    }

    /**
     * A number and the words behind it.
     *
     * @param number how many
     * @param one words for one
     * @param several words for none, or more than one
     * @return for example {@code 2 latencies were}
     */
    public static String of(final long number, final String one, final String several) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : several);
    }
}
