package io.tickmark.system.docs;

import static io.tickmark.system.docs.MarkdownTable.code;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tables of the keys of an object in a JSON schema. */
final class SchemaTables {
    private final JsonNode schema;

    SchemaTables(final String json) {
        schema = JsonMapper.shared().readTree(json);
    }

    /** Keys of the object at a JSON pointer, of the whole where it is empty. */
    String keys(final String pointer) {
        final JsonNode object = schema.at(pointer);
        if (object.path("properties").isEmpty()) {
            throw new IllegalArgumentException("the schema has no object at '" + pointer + "'");
        }
        final List<String> required = new ArrayList<>();
        object.path("required").forEach(key -> required.add(key.asString()));
        final MarkdownTable table = new MarkdownTable("key", "takes", "needed", "what it is");
        for (final Map.Entry<String, JsonNode> key : object.path("properties").properties()) {
            table.row(
                    code(key.getKey()),
                    type(key.getValue()),
                    required.contains(key.getKey()) ? "yes" : "",
                    key.getValue().path("description").asString(""));
        }
        return table.toString();
    }

    private String type(final JsonNode value) {
        if (value.has("$ref")) {
            return reference(value.path("$ref").asString());
        }
        if (value.has("const")) {
            return code(value.path("const").asString());
        }
        if (value.has("enum")) {
            return words(value);
        }
        if (value.path("pattern").asString("").contains("ms|s|m|h")) {
            return "duration";
        }
        return switch (value.path("type").asString("")) {
            case "array" -> "list of " + type(value.path("items"));
            case "object" -> object(value);
            case "integer" -> "whole number" + bounds(value);
            case "number" -> "number" + bounds(value);
            case "boolean" -> "true or false";
            case "string" -> "text";
            default -> several(value.path("type"));
        };
    }

    private String object(final JsonNode value) {
        return value.path("additionalProperties").isObject()
                ? "names to " + type(value.path("additionalProperties"))
                : "mapping";
    }

    private static String several(final JsonNode types) {
        final List<String> names = new ArrayList<>();
        types.forEach(type -> names.add(type.asString()));
        return names.isEmpty() ? "anything" : String.join(" or ", names);
    }

    private String reference(final String target) {
        final String name = target.substring(target.lastIndexOf('/') + 1);
        final JsonNode definition = schema.path("$defs").path(name);
        return definition.has("enum")
                ? words(definition)
                : name.replace("Plan", "").toLowerCase(Locale.ROOT);
    }

    private static String words(final JsonNode value) {
        final List<String> words = new ArrayList<>();
        value.path("enum").forEach(word -> words.add(code(word.asString())));
        return String.join(", ", words);
    }

    private static String bounds(final JsonNode value) {
        final String min = value.path("minimum").asString("");
        final String max = value.path("maximum").asString("");
        if (max.isEmpty()) {
            return min.isEmpty() ? "" : ", from " + min;
        }
        return ", " + min + " to " + max;
    }
}
