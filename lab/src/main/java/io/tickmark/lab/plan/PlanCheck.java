package io.tickmark.lab.plan;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.tickmark.kernel.settings.NearestWord;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Holds a plan against the schema and says what is wrong, where, and what would be right. */
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

    /** All that is wrong, by place; empty when all is well. */
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
                yield at(plan, key, "is not a key here; " + hint(error));
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

    private String hint(final Error error) {
        final List<String> keys = List.copyOf(schemaOf(error).path("properties").propertyNames());
        return nearest(error.getProperty(), keys);
    }

    /** What the broken rule stands in. */
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
}
