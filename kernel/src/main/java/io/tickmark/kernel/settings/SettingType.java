package io.tickmark.kernel.settings;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;

/** The kinds of value a setting can take, each with its Java type and its word in help. */
public enum SettingType {
    /** {@code boolean}; a flag on the command line. */
    FLAG("true|false"),
    /** {@code int}; accepts k, M and G (powers of 1000). */
    INT("N"),
    /** {@code long}; accepts k, M and G (powers of 1000). */
    LONG("N"),
    /** {@code double}; accepts k, M and G (powers of 1000). */
    NUMBER("N"),
    /** {@link Duration}; a number with ns, us, ms, s, m or h. */
    DURATION("TIME"),
    /** An enum; its words in lower case with dashes. */
    CHOICE("WORD"),
    /** {@link String}. */
    TEXT("TEXT"),
    /** {@code List<Integer>}; comma-separated, {@code 16..8192} doubles. */
    INT_LIST("N,N,..."),
    /** {@code List<String>}; comma-separated. */
    TEXT_LIST("TEXT,...");

    private final String label;

    SettingType(final String label) {
        this.label = label;
    }

    /**
     * The word for a value of this type in help.
     *
     * @return the word
     */
    public String label() {
        return label;
    }

    static SettingType of(final RecordComponent component) {
        final Class<?> raw = component.getType();
        if (raw.isEnum()) {
            return CHOICE;
        }
        return switch (raw.getName()) {
            case "boolean" -> FLAG;
            case "int" -> INT;
            case "long" -> LONG;
            case "double" -> NUMBER;
            case "java.lang.String" -> TEXT;
            case "java.time.Duration" -> DURATION;
            case "java.util.List" -> ofList(component);
            default -> throw unknown(component);
        };
    }

    private static SettingType ofList(final RecordComponent component) {
        final Type element =
                ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
        if (element == Integer.class) {
            return INT_LIST;
        }
        if (element == String.class) {
            return TEXT_LIST;
        }
        throw unknown(component);
    }

    private static IllegalArgumentException unknown(final RecordComponent component) {
        return new IllegalArgumentException(
                component.getDeclaringRecord().getName()
                        + "."
                        + component.getName()
                        + ": "
                        + component.getGenericType()
                        + " is not a type of a setting; use one of boolean, int, long, double, String, Duration, an enum, "
                        + "List<Integer>, List<String> "
                        + List.of(values()));
    }
}
