package io.tickmark.lab.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.SettingType;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Generates JSON schema from records: of those of a plan each becomes a definition, of those of
 * settings each is an object.
 */
final class RecordSchema {
    private final ObjectNode definitions;

    /** Definitions are added to {@code definitions}. */
    RecordSchema(final ObjectNode definitions) {
        this.definitions = definitions;
    }

    /** Fills {@code schema} with the keys of a record. */
    void describe(final ObjectNode schema, final Class<? extends Record> type) {
        schema.put("type", "object").put("additionalProperties", false);
        final ArrayNode required = schema.putArray("required");
        final ObjectNode properties = schema.putObject("properties");
        for (final RecordComponent component : type.getRecordComponents()) {
            final PlanKey key = component.getAnnotation(PlanKey.class);
            final ObjectNode value = properties.putObject(name(component));
            value.put("description", key.help());
            describe(value, component.getGenericType(), key);
            if (key.required()) {
                required.add(name(component));
            }
        }
    }

    private static String name(final RecordComponent component) {
        try {
            final Field field =
                    component.getDeclaringRecord().getDeclaredField(component.getName());
            final JsonProperty renamed = field.getAnnotation(JsonProperty.class);
            return renamed == null ? component.getName() : renamed.value();
        } catch (final NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private void describe(final ObjectNode schema, final Type type, final PlanKey key) {
        switch (type) {
            case final ParameterizedType list when list.getRawType() == List.class -> {
                schema.put("type", "array");
                if (key.minItems() > 0) {
                    schema.put("minItems", key.minItems());
                }
                describe(schema.putObject("items"), list.getActualTypeArguments()[0], key);
            }
            case final ParameterizedType map when map.getRawType() == Map.class -> {
                schema.put("type", "object");
                if (map.getActualTypeArguments()[1] == String.class) {
                    schema.putObject("additionalProperties").put("type", "string");
                }
            }
            case final Class<?> plain -> describeClass(schema, plain, key);
            default -> throw new IllegalStateException("no schema for " + type);
        }
    }

    private void describeClass(final ObjectNode schema, final Class<?> type, final PlanKey key) {
        if (type == String.class) {
            schema.put("type", "string");
            if (!key.pattern().isEmpty()) {
                schema.put("pattern", key.pattern());
            }
        } else if (type == Integer.class) {
            schema.put("type", "integer");
            bounds(schema, key.min(), key.max());
        } else if (type == Boolean.class) {
            schema.put("type", "boolean");
        } else if (type == Duration.class) {
            duration(schema);
        } else if (type.isEnum()) {
            final ArrayNode words = schema.putArray("enum");
            for (final Object constant : type.getEnumConstants()) {
                words.add(SettingDescriptor.word((Enum<?>) constant));
            }
        } else {
            reference(schema, type.asSubclass(Record.class));
        }
    }

    private void reference(final ObjectNode schema, final Class<? extends Record> type) {
        final String name = type.getSimpleName();
        schema.put("$ref", "#/$defs/" + name);
        if (!definitions.has(name)) {
            if (type.getRecordComponents()[0].isAnnotationPresent(Setting.class)) {
                definitions.set(name, ofSettings(SettingDescriptor.of(type)));
                return;
            }
            final ObjectNode definition = JsonNodeFactory.instance.objectNode();
            definitions.set(name, definition);
            describe(definition, type);
        }
    }

    /** An object with these settings as its only keys. */
    static ObjectNode ofSettings(final List<SettingDescriptor> settings) {
        final ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("type", "object").put("additionalProperties", false);
        final ObjectNode properties = schema.putObject("properties");
        settings.forEach(setting -> properties.set(setting.key(), value(setting)));
        return schema;
    }

    private static ObjectNode value(final SettingDescriptor setting) {
        final ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("description", sentence(setting));
        switch (setting.type()) {
            case FLAG -> words(schema, List.of()).add(true).add(false).add("true").add("false");
            case INT, LONG -> number(schema, "integer", setting);
            case NUMBER -> number(schema, "number", setting);
            case DURATION -> duration(schema);
            case CHOICE -> words(schema, setting.choices());
            case TEXT -> types(schema, "string", "number", "boolean");
            case INT_LIST -> {
                types(schema, "array", "integer", "string");
                schema.put("pattern", PlanPatterns.LIST_OF_COUNTS);
                number(schema.putObject("items"), "integer", setting);
            }
            case TEXT_LIST -> {
                types(schema, "array", "string");
                schema.putObject("items").put("type", "string");
            }
        }
        return schema;
    }

    private static String sentence(final SettingDescriptor setting) {
        final StringBuilder text = new StringBuilder(setting.help());
        if (!setting.unit().isEmpty()) {
            text.append(" In ").append(setting.unit()).append('.');
        }
        if (!setting.byDefault().isEmpty()) {
            text.append(" Default: ").append(setting.byDefault()).append('.');
        }
        return text.toString();
    }

    private static void duration(final ObjectNode schema) {
        types(schema, "string", "integer");
        schema.put("pattern", PlanPatterns.DURATION).put("minimum", 0).put("maximum", 0);
    }

    private static void number(
            final ObjectNode schema, final String type, final SettingDescriptor setting) {
        types(schema, type, "string");
        schema.put(
                "pattern",
                setting.type() == SettingType.INT_LIST
                        ? PlanPatterns.LIST_OF_COUNTS
                        : setting.isShare() ? PlanPatterns.SHARE : PlanPatterns.COUNT);
        bounds(
                schema,
                setting.min(),
                setting.unit().equals(Setting.PART) ? Math.min(setting.max(), 1) : setting.max());
    }

    private static void bounds(final ObjectNode schema, final double min, final double max) {
        bound(schema, "minimum", min);
        bound(schema, "maximum", max);
    }

    private static void bound(final ObjectNode schema, final String keyword, final double value) {
        if (Double.isFinite(value)) {
            if (value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE) {
                schema.put(keyword, (long) value);
            } else {
                schema.put(keyword, value);
            }
        }
    }

    private static void types(final ObjectNode schema, final String... types) {
        final ArrayNode list = schema.putArray("type");
        for (final String type : types) {
            list.add(type);
        }
    }

    private static ArrayNode words(final ObjectNode schema, final List<String> words) {
        final ArrayNode list = schema.putArray("enum");
        words.forEach(list::add);
        return list;
    }
}
