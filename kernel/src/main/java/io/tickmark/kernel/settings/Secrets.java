package io.tickmark.kernel.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Keeps passwords and tokens out of the files of a run, which users share with others. */
public final class Secrets {
    /** Replaces a secret. */
    public static final String HIDDEN = "***";

    private static final List<String> WORDS = List.of("password", "passwd", "secret", "token");

    private Secrets() {}

    /**
     * Whether a name indicates that its value is a secret.
     *
     * @param name of a setting, a variable or a JVM flag
     * @return by the words in it, capitals or not
     */
    public static boolean isNamedBy(final String name) {
        return WORDS.stream().anyMatch(name.toLowerCase(Locale.ROOT)::contains);
    }

    /**
     * Values as they may be shown.
     *
     * @param values by name
     * @return the same in the same order, {@link #HIDDEN} for each secret that is not empty
     */
    public static Map<String, Object> hidden(final Map<String, ?> values) {
        final Map<String, Object> shown = new LinkedHashMap<>();
        values.forEach((name, value) ->
                shown.put(name, isNamedBy(name) && !"".equals(value) ? HIDDEN : value));
        return shown;
    }

    /**
     * Words of a command line as they may be shown.
     *
     * @param words such as {@code -Djavax.net.ssl.keyStorePassword=...} or {@code TOKEN=...}
     * @return the same in the same order, {@link #HIDDEN} for the value after the {@code =} of a
     *     secret
     */
    public static List<String> hidden(final List<String> words) {
        return words.stream()
                .map(word -> {
                    final int equals = word.indexOf('=');
                    return equals > 0 && isNamedBy(word.substring(0, equals))
                            ? word.substring(0, equals + 1) + HIDDEN
                            : word;
                })
                .toList();
    }
}
