package io.tickmark.kernel.result;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A sentence about a count, in the singular for one: {@code %d message{|s} {was|were} lost.} */
public final class CountSentence {
    private static final Pattern ONE_OR_MORE = Pattern.compile("\\{([^{|}]*)\\|([^{|}]*)}");

    private CountSentence() {}

    /**
     * Makes it.
     *
     * @param sentence with {@code %d} for the count, which is its first value, and {@code
     *     {one|more}} where the words for one differ from those for more, or none
     * @param count of what it speaks of
     * @param further values, which follow the count
     * @return the sentence
     */
    public static String of(final String sentence, final long count, final Object... further) {
        return String.format(
                Locale.ROOT,
                ONE_OR_MORE.matcher(sentence).replaceAll(count == 1 ? "$1" : "$2"),
                Stream.concat(Stream.of(count), Stream.of(further)).toArray());
    }
}
