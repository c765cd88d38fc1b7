package io.tickmark.workloads.feed.tick;

import java.util.ArrayList;
import java.util.List;

/** Names and first prices of generated symbols; deterministic by number. */
public final class Instruments {
    private static final String CONSONANTS = "BCDFGHKLMNPRSTVW";
    private static final String VOWELS = "AEIOU";
    private static final int LOWEST_CENTS = 500;
    private static final int CENTS_RANGE = 49_500;

    private Instruments() {}

    /**
     * The name of a symbol: pronounceable letters, different for each.
     *
     * @param symbol from 0
     * @return three letters or more, for example {@code BAKE}
     */
    public static String name(final int symbol) {
        final StringBuilder name = new StringBuilder(6);
        int rest = symbol;
        do {
            name.append(CONSONANTS.charAt(rest % CONSONANTS.length()));
            rest /= CONSONANTS.length();
            name.append(VOWELS.charAt(rest % VOWELS.length()));
            rest /= VOWELS.length();
        } while (rest > 0 || name.length() < 4);
        return name.toString();
    }

    /**
     * The names of the first symbols.
     *
     * @param count how many
     * @return names by symbol
     */
    public static List<String> names(final int count) {
        final List<String> names = new ArrayList<>(count);
        for (int symbol = 0; symbol < count; symbol++) {
            names.add(name(symbol));
        }
        return List.copyOf(names);
    }

    /**
     * The price that the walk of a symbol begins with.
     *
     * @param symbol from 0
     * @return hundredths, 500 to 50,000
     */
    public static int firstPriceCents(final int symbol) {
        // multiplied by 2^32 / golden ratio: neighbours get prices far apart
        return LOWEST_CENTS + (int) ((symbol * 2654435769L >>> 8) % CENTS_RANGE);
    }
}
