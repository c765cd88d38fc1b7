package io.tickmark.lab.plan;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.tickmark.kernel.settings.MissingPercentSign;
import io.tickmark.kernel.settings.NearestWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks a plan against the schema and reports what is wrong, where, and what would be right. */
final class PlanCheck {
    private final ObjectNode rules;
    private final Schema schema;

    /** Checks against {@code rules}. */
    PlanCheck(final ObjectNode rules) {
        this.rules = rules;
        schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(rules);
    }

    /** All errors, by place; empty when there is none. */
    List<PlanProblem> problems(final YamlText plan) {
        final List<PlanProblem> problems = new ArrayList<>();
        for (final Error error : schema.validate(plan.tree())) {
            final PlanProblem problem = problem(plan, error);
            if (!problems.contains(problem)) {
                problems.add(problem);
            }
        }
        return problems;
    }

    private PlanProblem problem(final YamlText plan, final Error error) {
        final String place = error.getInstanceLocation().toString();
        return switch (error.getKeyword()) {
            case "additionalProperties" -> {
                final String key = place + "/" + escaped(error.getProperty());
                yield at(plan, key, "is not a key here; " + hint(place, error));
            }
            case "required" -> at(plan, place, "needs the key '" + error.getProperty() + "'.");
            default ->
                    at(
                            plan,
                            place,
                            "is "
                                    + shown(plan, place)
                                    + "; "
                                    + PlanRule.wish(error, schemaOf(error)));
        };
    }

    private static PlanProblem at(final YamlText plan, final String place, final String sentence) {
        return new PlanProblem(plan.line(place), plan.called(place) + " " + sentence);
    }

    private String hint(final String place, final Error error) {
        final List<String> keys = List.copyOf(schemaOf(error).path("properties").propertyNames());
        return Optional.of(error.getProperty())
                .filter(_ -> place.endsWith("/settings")) // a host's address is no channel's
                .flatMap(FormerKeys::now)
                .orElseGet(() -> nearest(error.getProperty(), keys));
    }

    /** What contains the broken rule. */
    private JsonNode schemaOf(final Error error) {
        final String rule = error.getSchemaLocation().getFragment().toString();
        return rules.at(rule.substring(0, rule.lastIndexOf('/')));
    }

    private static String nearest(final String typed, final List<String> known) {
        return NearestWord.hint(typed, known);
    }

    private static String shown(final YamlText plan, final String place) {
        final JsonNode value = plan.tree().at(JsonPointer.compile(place));
        if (value.isObject()) {
            return "a mapping";
        }
        if (value.isArray()) {
            return "a list";
        }
        final String text = value.isNull() ? "empty" : value.asString();
        return text.length() > 60 ? text.substring(0, 60) + "..." : text;
    }

    private static String escaped(final String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    /** What a broken rule of the schema requires, in terms for the user. */
    private static final class PlanRule {
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

        /** Completes "it must ..."; {@code schema} contains the rule. */
        static String wish(final Error error, final JsonNode schema) {
            final JsonNode rule = error.getSchemaNode();
            final boolean isDuration =
                    schema.path("pattern").asString("").equals(PlanPatterns.DURATION);
            return switch (error.getKeyword()) {
                case "pattern" ->
                        "it must be "
                                + PATTERNS.getOrDefault(rule.asString(), rule.asString())
                                + ".";
                case "type" -> "it must be " + (isDuration ? duration() : types(rule)) + ".";
                case "minimum", "maximum" ->
                        isDuration
                                ? "it must be " + duration() + "."
                                : isPart(schema) && error.getInstanceNode().asDouble(0) > 1
                                        ? MissingPercentSign.withSign(
                                                error.getInstanceNode().asString())
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

        /** Not a share in percent: its key would allow 100. */
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
}
