package io.tickmark.lab.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
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

/** Generates JSON schema from the records of a plan; each record becomes a definition. */
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
            SettingSchema.bounds(schema, key.min(), key.max());
        } else if (type == Boolean.class) {
            schema.put("type", "boolean");
        } else if (type == Duration.class) {
            SettingSchema.duration(schema);
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
                definitions.set(name, SettingSchema.object(SettingDescriptor.of(type)));
                return;
            }
            final ObjectNode definition = JsonNodeFactory.instance.objectNode();
            definitions.set(name, definition);
            describe(definition, type);
        }
    }
}
