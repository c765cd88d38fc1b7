package io.tickmark.kernel.settings;

import java.util.Collection;
import java.util.stream.Collectors;

/** Names in a sentence: the first ones, and how many more there are. */
public final class NameList {
    private NameList() {}

    /**
     * Names with commas between them.
     *
     * @param names any number of them
     * @param most that are named
     * @return for example {@code a, b and 12 more}; all of them where they are not more than that
     */
    public static String of(final Collection<String> names, final int most) {
        return of(names, most, ", ");
    }

    /**
     * The same with other words between them.
     *
     * @param names any number of them
     * @param most that are named
     * @param between two of them
     * @return for example {@code a; b and 12 more}
     */
    public static String of(final Collection<String> names, final int most, final String between) {
        final String first = names.stream().limit(most).collect(Collectors.joining(between));
        return names.size() > most ? first + " and " + (names.size() - most) + " more" : first;
    }
}
