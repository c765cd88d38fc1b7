package io.tickmark.lab.plan;

import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.lab.json.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON schema (draft 2020-12) of plans, generated from the records of a plan and, for the
 * settings of each role, from the role's own settings record.
 */
public final class PlanSchema {
    private PlanSchema() {}

    /**
     * The schema for the roles on the class path.
     *
     * @return indented JSON text with a line end
     */
    public static String json() {
        return Json.pretty().writeValueAsString(tree(RoleCatalog.load())) + "\n";
    }

    /** The schema for these roles. */
    static ObjectNode tree(final RoleCatalog catalog) {
        final ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "tickmark plan");
        final ObjectNode definitions = JsonNodeFactory.instance.objectNode();
        new RecordSchema(definitions).describe(schema, PlanFile.class);
        ((ObjectNode) schema.at("/properties/schema")).put("const", Plan.SCHEMA);
        final ObjectNode test = (ObjectNode) definitions.path(TestPlan.class.getSimpleName());
        final ObjectNode role = (ObjectNode) definitions.path(RolePlan.class.getSimpleName());
        replace(test, "settings", union(catalog));
        final ArrayNode workloads = ((ObjectNode) test.at("/properties/workload")).putArray("enum");
        catalog.all().stream()
                .map(RoleFactory::workload)
                .distinct()
                .sorted()
                .forEach(workloads::add);
        final ArrayNode names = ((ObjectNode) role.at("/properties/role")).putArray("enum");
        final ArrayNode byRole = role.putArray("allOf");
        for (final RoleFactory<?> factory : catalog.all()) {
            names.add(factory.name());
            final String definition = "settings-of-" + factory.name();
            final ObjectNode settings =
                    RecordSchema.ofSettings(SettingDescriptor.of(factory.settings()));
            settings.put("description", factory.summary());
            definitions.set(definition, settings);
            final ObjectNode rule = byRole.addObject();
            final ObjectNode condition = rule.putObject("if");
            condition.putObject("properties").putObject("role").put("const", factory.name());
            condition.putArray("required").add("role");
            rule.putObject("then")
                    .putObject("properties")
                    .putObject("settings")
                    .put("$ref", "#/$defs/" + definition);
        }
        if (byRole.isEmpty()) {
            role.remove("allOf");
        }
        schema.set("$defs", definitions);
        return schema;
    }

    private static void replace(
            final ObjectNode definition, final String key, final ObjectNode schema) {
        final ObjectNode properties = (ObjectNode) definition.path("properties");
        schema.set("description", properties.path(key).path("description"));
        properties.set(key, schema);
    }

    /** Where two roles share a key but not its type, only the roles themselves can check it. */
    private static ObjectNode union(final RoleCatalog catalog) {
        final ObjectNode all = RecordSchema.ofSettings(List.of());
        final ObjectNode properties = (ObjectNode) all.path("properties");
        for (final RoleFactory<?> factory : catalog.all()) {
            final ObjectNode own =
                    RecordSchema.ofSettings(SettingDescriptor.of(factory.settings()));
            for (final Map.Entry<String, JsonNode> setting : own.path("properties").properties()) {
                final JsonNode seen = properties.path(setting.getKey());
                if (seen.isMissingNode()) {
                    properties.set(setting.getKey(), setting.getValue());
                } else if (!sameRule(seen, setting.getValue())) {
                    properties
                            .putObject(setting.getKey())
                            .set("description", seen.path("description"));
                }
            }
        }
        // for a key that another role had before, that role reports its new name
        for (final RoleFactory<?> factory : catalog.all()) {
            SettingDescriptor.of(factory.settings()).stream()
                    .flatMap(setting -> setting.formerly().stream())
                    .filter(properties::has)
                    .forEach(key -> {
                        final JsonNode description = properties.path(key).path("description");
                        properties.putObject(key).set("description", description);
                    });
        }
        return all;
    }

    private static boolean sameRule(final JsonNode one, final JsonNode other) {
        return ((ObjectNode) one.deepCopy())
                .without("description")
                .equals(((ObjectNode) other.deepCopy()).without("description"));
    }
}
