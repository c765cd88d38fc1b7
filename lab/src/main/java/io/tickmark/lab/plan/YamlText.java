package io.tickmark.lab.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.search.SearchGoal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * The text of one plan as a tree, with the line of each key. Constructs that could blow it up are
 * refused: aliases (they are not needed: plans are short and include each other), depth, size, a
 * second document.
 */
final class YamlText {
    /** Largest plan. */
    static final int MAX_BYTES = 1 << 20;

    private static final int MAX_DEPTH = 50;

    static final YAMLMapper MAPPER =
            YAMLMapper.builder(
                            YAMLFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .maxDocumentLength(MAX_BYTES)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                    .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .changeDefaultPropertyInclusion(
                            inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
                    .addModule(
                            new SimpleModule("plan")
                                    .addDeserializer(Duration.class, new DurationReader())
                                    .addDeserializer(
                                            Criteria.class,
                                            new SettingsReader<>(Criteria.class, "criteria."))
                                    .addDeserializer(
                                            SearchGoal.class,
                                            new SettingsReader<>(SearchGoal.class, "search.")))
                    .build();

    private final String name;
    private final JsonNode tree;
    private final Map<String, Integer> lines = new HashMap<>();

    /** Reads {@code text}; {@code name} is the user's name for it. */
    YamlText(final String text, final String name) {
        this(text, name, "plan", "schema: " + Plan.SCHEMA);
    }

    /**
     * Reads {@code text} of another {@code kind} of file, which has keys from its {@code beginning}
     * on.
     */
    YamlText(final String text, final String name, final String kind, final String beginning) {
        this.name = name;
        try {
            findLines(text);
            tree = MAPPER.readTree(text);
        } catch (final JacksonException e) {
            throw UserError.usage(
                    name
                            + (e.getLocation() == null
                                    ? ""
                                    : " line " + e.getLocation().getLineNr())
                            + ": not YAML: "
                            + firstLine(e.getOriginalMessage())
                            + ".");
        }
        if (!tree.isObject()) {
            throw UserError.usage(
                    "%s: not a %s; it must start with '%s'.".formatted(name, kind, beginning));
        }
    }

    private void findLines(final String text) {
        final Deque<String> open = new ArrayDeque<>();
        try (JsonParser parser = MAPPER.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                final int line = parser.currentTokenLocation().getLineNr();
                if (((YAMLParser) parser).isCurrentAlias()) {
                    throw UserError.usage(
                            "%s line %d: aliases (*name) are not supported in plans; write it out or use 'include'."
                                    .formatted(name, line));
                }
                switch (token) {
                    case START_OBJECT, START_ARRAY -> {
                        if (open.isEmpty() && lines.containsKey("")) {
                            throw UserError.usage(
                                    "%s line %d: a second document starts here; a plan is one."
                                            .formatted(name, line));
                        }
                        lines.putIfAbsent(pointer(parser, token), line);
                        open.push("");
                    }
                    case END_OBJECT, END_ARRAY -> open.pop();
                    default -> lines.putIfAbsent(pointer(parser, token), line);
                }
            }
        }
    }

    /** A container's own position is its parent's, because its context is already inside it. */
    private static String pointer(final JsonParser parser, final JsonToken token) {
        final TokenStreamContext context = parser.streamReadContext();
        final TokenStreamContext place = token.isStructStart() ? context.getParent() : context;
        return place == null ? "" : JsonPointer.forPath(place, false).toString();
    }

    private static String firstLine(final String message) {
        final int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    JsonNode tree() {
        return tree;
    }

    /** Line of the key at a JSON pointer, or of the nearest one around it. */
    int line(final String pointer) {
        String at = pointer;
        while (!lines.containsKey(at) && !at.isEmpty()) {
            at = at.substring(0, at.lastIndexOf('/'));
        }
        return lines.getOrDefault(at, 1);
    }

    /** The user's name for the key at a JSON pointer: {@code plan.yaml line 7: tests[0].name}. */
    String called(final String pointer) {
        final StringBuilder path = new StringBuilder();
        for (JsonPointer at = JsonPointer.compile(pointer); !at.matches(); at = at.tail()) {
            if (at.mayMatchElement()) {
                path.append('[').append(at.getMatchingIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(at.getMatchingProperty());
            }
        }
        return name + " line " + line(pointer) + (path.isEmpty() ? "" : ": " + path);
    }

    private static final class DurationReader extends ValueDeserializer<Duration> {
        @Override
        public Duration deserialize(final JsonParser parser, final DeserializationContext context) {
            return Durations.parse(
                    parser.getString(), "line " + parser.currentTokenLocation().getLineNr());
        }
    }

    /** A group of settings within a plan, read as settings are everywhere. */
    private static final class SettingsReader<S extends Record> extends ValueDeserializer<S> {
        private final Class<S> type;
        private final String prefix;

        SettingsReader(final Class<S> type, final String prefix) {
            this.type = type;
            this.prefix = prefix;
        }

        @Override
        public S deserialize(final JsonParser parser, final DeserializationContext context) {
            final Map<?, ?> values = context.readValue(parser, Map.class);
            final Map<String, Object> byKey = new HashMap<>();
            values.forEach((key, value) -> byKey.put(String.valueOf(key), value));
            return Settings.read(type, byKey, key -> prefix + key);
        }
    }
}
