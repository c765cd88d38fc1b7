package io.tickmark.kernel.settings;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The known word that a mistyped one was most likely meant to be. */
public final class NearestWord {
    private static final int LONGEST = 64;

    /** A list of up to this many words is still read; of a longer one, {@link #FEW} are shown. */
    private static final int FEW_ENOUGH = 12;

    private static final int FEW = 5;

    private NearestWord() {}

    /**
     * Finds the nearest of the known words; case, dashes and underscores are ignored.
     *
     * @param typed what the user wrote
     * @param known words to choose from
     * @return the nearest, empty where none is near: more than a third of its letters differ
     */
    public static Optional<String> to(final String typed, final List<String> known) {
        final String letters = letters(typed);
        String nearest = "";
        int smallest = Integer.MAX_VALUE;
        for (final String word : known) {
            final int distance = distance(letters, letters(word));
            if (distance < smallest) {
                smallest = distance;
                nearest = word;
            }
        }
        final int allowed = Math.max(1, (Math.max(letters.length(), nearest.length()) + 1) / 3);
        return smallest <= allowed ? Optional.of(nearest) : Optional.empty();
    }

    /**
     * What to say about an unknown word: the nearest, otherwise a few that begin alike or are
     * nearer than others; never a list that is too long to read.
     *
     * @param typed what the user wrote
     * @param known words to choose from
     * @return the end of a sentence
     */
    public static String hint(final String typed, final List<String> known) {
        return hint(typed, known, UnaryOperator.identity());
    }

    /**
     * The same where the user knows the words by longer names.
     *
     * @param typed what the user wrote
     * @param known words to choose from
     * @param naming how the user knows a word
     * @return the end of a sentence
     */
    static String hint(
            final String typed, final List<String> known, final UnaryOperator<String> naming) {
        if (known.isEmpty()) {
            return "there are none here.";
        }
        return to(typed, known)
                .map(nearest -> "did you mean " + naming.apply(nearest) + "?")
                .orElseGet(() -> {
                    final List<String> few = few(typed, known);
                    final String words = String.join(", ", few.stream().map(naming).toList());
                    return few.size() < known.size()
                            ? "nearest of %d are %s.".formatted(known.size(), words)
                            : "known are " + words + ".";
                });
    }

    private static List<String> few(final String typed, final List<String> known) {
        if (known.size() <= FEW_ENOUGH) {
            return known;
        }
        final String letters = letters(typed);
        return known.stream()
                .distinct()
                .sorted(Comparator.comparingInt(word -> far(letters, letters(word))))
                .limit(FEW)
                .toList();
    }

    /** A word within the other is nearer than any that requires changes. */
    private static int far(final String typed, final String word) {
        final boolean isWithin = !typed.isEmpty() && (word.contains(typed) || typed.contains(word));
        return isWithin ? 0 : distance(typed, word);
    }

    private static String letters(final String word) {
        final String bounded = word.length() > LONGEST ? word.substring(0, LONGEST) : word;
        return bounded.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** Levenshtein's distance, one row at a time. */
    private static int distance(final String a, final String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            final int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                final int change = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
