package io.tickmark.lab.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * The one way tickmark writes and reads JSON: keys in the order of declaration, nulls and empty
 * optionals omitted, enums in lower case, numbers without exponent; unknown and repeated keys
 * refused. Thread safe.
 */
public final class Json {
    private static final JsonMapper LINE = builder().build();

    /** A role's process, which users wait for, never needs it. */
    private static final class Pretty {
        static final JsonMapper MAPPER =
                builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    private Json() {}

    /**
     * For values on one line.
     *
     * @return the mapper
     */
    public static JsonMapper line() {
        return LINE;
    }

    /**
     * For files read by people.
     *
     * @return the mapper
     */
    public static JsonMapper pretty() {
        return Pretty.MAPPER;
    }

    /**
     * A value as a file read by people.
     *
     * @param value a record, or maps and lists of plain values
     * @return indented text with a line end
     */
    public static String text(final Object value) {
        return Pretty.MAPPER.writeValueAsString(value) + "\n";
    }

    private static JsonMapper.Builder builder() {
        final SimpleModule numbers = new SimpleModule("plain-numbers");
        numbers.addSerializer(Double.class, new PlainDouble());
        numbers.addSerializer(Double.TYPE, new PlainDouble());
        return JsonMapper.builder()
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .changeDefaultPropertyInclusion(
                        inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
                .addModule(numbers);
    }

    /** Writes 1.0E7 as 10000000, because not every parser accepts exponents. */
    private static final class PlainDouble extends ValueSerializer<Double> {
        @Override
        public void serialize(
                final Double value,
                final JsonGenerator generator,
                final SerializationContext context) {
            if (Double.isFinite(value)) {
                generator.writeNumber(BigDecimal.valueOf(value).stripTrailingZeros());
            } else {
                generator.writeNull(); // JSON has no literal for it
            }
        }
    }
}
