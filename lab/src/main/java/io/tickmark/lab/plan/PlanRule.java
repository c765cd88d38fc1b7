package io.tickmark.lab.plan;

import com.networknt.schema.Error;
import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.Shares;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** What a broken rule of the schema asks for, in the user's words. */
final class PlanRule {
    private static final Map<String, String> PATTERNS =
            Map.of(
                    PlanPatterns.ADDRESS,
                    "an IP address or a host name",
                    PlanPatterns.DESTINATION,
                    "a destination of ssh, for example bench@left",
                    PlanPatterns.REMOTE_PATH,
                    "a path of letters, digits, dots, slashes, dashes, underscores and plus signs",
                    PlanPatterns.NAME,
                    "letters, digits, dots, dashes and underscores, at most 64 of them",
                    PlanPatterns.DURATION,
                    "a number with ns, us, ms, s, m or h, for example 10s",
                    PlanPatterns.HEAP,
                    "a number with k, m or g, for example 512m",
                    PlanPatterns.COUNT,
                    "a number, possibly with k, M or G",
                    PlanPatterns.SHARE,
                    "a number, possibly with a percent sign",
                    PlanPatterns.LIST_OF_COUNTS,
                    "numbers with commas or a doubling range, for example 16..8192");

    private static final Map<String, String> TYPES =
            Map.of(
                    "integer", "a whole number",
                    "number", "a number",
                    "string", "text",
                    "boolean", "true or false",
                    "array", "a list",
                    "object", "a mapping",
                    "null", "empty");

    private PlanRule() {}

    /** Completes "it must ..."; {@code schema} is what the rule stands in. */
    static String wish(final Error error, final JsonNode schema) {
        final JsonNode rule = error.getSchemaNode();
        final boolean isDuration =
                schema.path("pattern").asString("").equals(PlanPatterns.DURATION);
        return switch (error.getKeyword()) {
            case "pattern" ->
                    "it must be " + PATTERNS.getOrDefault(rule.asString(), rule.asString()) + ".";
            case "type" -> "it must be " + (isDuration ? duration() : types(rule)) + ".";
            case "minimum", "maximum" ->
                    isDuration
                            ? "it must be " + duration() + "."
                            : isPart(schema) && error.getInstanceNode().asDouble(0) > 1
                                    ? Shares.withSign(error.getInstanceNode().asString())
                                    : "it must be "
                                            + (error.getKeyword().equals("minimum")
                                                    ? "at least "
                                                    : "at most ")
                                            + rule.asString()
                                            + ".";
            case "minItems" -> "it must have at least " + rule.asString() + " in it.";
            case "const" -> "it must be " + rule.asString() + ".";
            case "enum" -> choices(error, rule);
            default -> "it " + error.getMessage() + ".";
        };
    }

    /** No share in percent: its key would allow 100. */
    private static boolean isPart(final JsonNode schema) {
        return schema.path("pattern").asString("").equals(PlanPatterns.SHARE)
                && schema.path("maximum").asDouble(0) <= 1;
    }

    private static String duration() {
        return PATTERNS.get(PlanPatterns.DURATION);
    }

    private static String types(final JsonNode rule) {
        final List<String> words =
                rule.isArray()
                        ? StreamSupport.stream(rule.spliterator(), false)
                                .map(type -> TYPES.get(type.asString()))
                                .toList()
                        : List.of(TYPES.get(rule.asString()));
        return String.join(" or ", words);
    }

    private static String choices(final Error error, final JsonNode rule) {
        final List<String> words =
                StreamSupport.stream(rule.spliterator(), false)
                        .map(JsonNode::asString)
                        .distinct()
                        .toList();
        return NearestWord.to(error.getInstanceNode().asString(""), words)
                .map(nearest -> "did you mean " + nearest + "?")
                .orElse("it must be one of " + String.join(", ", words) + ".");
    }
}
