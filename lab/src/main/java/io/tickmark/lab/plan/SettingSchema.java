package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.SettingType;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Generates JSON schema from settings records. */
final class SettingSchema {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private SettingSchema() {}

    /** An object with these settings as its only keys. */
    static ObjectNode object(final List<SettingDescriptor> settings) {
        final ObjectNode schema = NODES.objectNode();
        schema.put("type", "object").put("additionalProperties", false);
        final ObjectNode properties = schema.putObject("properties");
        settings.forEach(setting -> properties.set(setting.key(), value(setting)));
        return schema;
    }

    private static ObjectNode value(final SettingDescriptor setting) {
        final ObjectNode schema = NODES.objectNode();
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

    static void duration(final ObjectNode schema) {
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

    static void bounds(final ObjectNode schema, final double min, final double max) {
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
