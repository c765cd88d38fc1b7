package io.tickmark.kernel.settings;

import java.util.Map;
import java.util.function.UnaryOperator;

/** Reads settings records from what a user gave, and turns them back into plain values. */
public final class Settings {
    private Settings() {}

    /**
     * Reads a settings record.
     *
     * @param <S> the record
     * @param type its class
     * @param values given by key: text as typed on a command line or in a channel URI, or numbers,
     *     booleans and lists as YAML gives them; what is absent takes its default
     * @param naming how the user knows a key, for errors: {@code --payload-bytes}, {@code plan.yaml
     *     line 7: payloadBytes}
     * @return the record, every value inside its bounds
     * @throws UserError if a key is unknown, a value is not of its type or out of bounds
     */
    public static <S extends Record> S read(
            final Class<S> type, final Map<String, ?> values, final UnaryOperator<String> naming) {
        throw new IllegalStateException("being built");
    }

    /**
     * A settings record as plain values, in the order of its components: numbers, booleans, text
     * and lists; durations as text with a unit.
     *
     * @param settings the record
     * @return key to value; {@link #read} reads it back
     */
    public static Map<String, Object> toMap(final Record settings) {
        throw new IllegalStateException("being built");
    }
}
