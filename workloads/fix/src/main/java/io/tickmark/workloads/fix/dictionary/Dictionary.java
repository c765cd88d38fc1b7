package io.tickmark.workloads.fix.dictionary;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages of the session and of market data: which fields they have, of what type, in what
 * order in repeating groups. Other messages are of any fields. Immutable; any thread.
 */
public final class Dictionary {
    /** From here on numbers are their users' own. */
    private static final int FIRST_OF_USERS = 5000;

    private static final Definition ANY =
            new Definition(new Group(List.of(), Map.of()), false, List.of(), List.of(), List.of());

    private static final Map<String, Dictionary> ALL = DictionaryText.builtIn();

    private final int lastTag;
    private final Definition[] definitions = new Definition[128];
    private final ValueType[] types = new ValueType[FIRST_OF_USERS];
    private final Map<Integer, Set<String>> values;

    Dictionary(
            final int lastTag,
            final Map<Character, Definition> messages,
            final Map<Integer, ValueType> types,
            final Map<Integer, Set<String>> values) {
        this.lastTag = lastTag;
        this.values = Map.copyOf(values);
        java.util.Arrays.fill(definitions, ANY);
        messages.forEach((type, definition) -> definitions[type] = definition);
        types.forEach((tag, type) -> this.types[tag] = type);
    }

    /**
     * That of a version.
     *
     * @param beginString value of field 8
     * @return the dictionary
     * @throws IllegalArgumentException if there is none of this version
     */
    public static Dictionary of(final String beginString) {
        final Dictionary dictionary = ALL.get(beginString);
        if (dictionary == null) {
            throw new IllegalArgumentException("no dictionary of " + beginString);
        }
        return dictionary;
    }

    /**
     * What a message holds.
     *
     * @param type value of field 35 where it is one character, else 0
     * @return the definition; one without fields that is not complete where the type is not known
     */
    public Definition message(final char type) {
        return type < definitions.length ? definitions[type] : ANY;
    }

    /**
     * Whether the version has given a number out, or leaves it to users.
     *
     * @param tag the number
     * @return true if so
     */
    public boolean isGivenOut(final int tag) {
        return tag <= lastTag || tag >= FIRST_OF_USERS;
    }

    /**
     * Whether a value is of its field's type.
     *
     * @param tag the field
     * @param bytes the value is in
     * @param at where it begins
     * @param length its bytes, at least one
     * @return true if so, and where nothing is said about the field
     */
    public boolean isOfType(final int tag, final byte[] bytes, final int at, final int length) {
        return tag >= FIRST_OF_USERS || types[tag] == null || types[tag].fits(bytes, at, length);
    }

    /**
     * Whether a value is one of those that its field has; not on a hot path.
     *
     * @param tag the field
     * @param bytes the value is in
     * @param at where it begins
     * @param length its bytes
     * @return true if so, and where the field may have any
     */
    public boolean isValue(final int tag, final byte[] bytes, final int at, final int length) {
        final Set<String> allowed = values.get(tag);
        return allowed == null
                || allowed.contains(
                        new String(
                                bytes, at, length, java.nio.charset.StandardCharsets.ISO_8859_1));
    }
}
