package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The machines of a run, and which roles run where.
 *
 * @param schema name and version of the format
 * @param hosts at least one
 * @param roles names of hosts that take turns, by the role's name; a role's own {@code hosts} in
 *     the plan wins
 */
public record HostsPlan(
        @PlanKey(help = "Name and version of this format: tickmark.hosts/1.", required = true)
                String schema,
        @PlanKey(help = "The machines.", required = true, minItems = 1) List<HostPlan> hosts,
        @PlanKey(help = "Hosts that take turns in running a role, by the role's name.")
                Map<String, List<String>> roles) {
    /** Value of the key {@code schema}. */
    public static final String SCHEMA = "tickmark.hosts/1";

    /** The name of the controller's machine where roles run on it. */
    public static final String LOCAL = "local";

    /** Copies list and map. */
    public HostsPlan {
        hosts = List.copyOf(hosts);
        roles = TestPlan.copy(roles);
    }

    /**
     * Reads a hosts file.
     *
     * @param file to read
     * @return the hosts
     * @throws UserError that names file, line and key of all that is wrong
     */
    public static HostsPlan read(final Path file) {
        try {
            if (Files.size(file) > YamlText.MAX_BYTES) {
                throw UserError.usage(file + ": longer than a hosts file may be (1 MiB).");
            }
            return parse(Files.readString(file), file.toString());
        } catch (final IOException e) {
            throw UserError.usage(
                    "--hosts: %s cannot be read (%s); name a file that lists the hosts."
                            .formatted(file, IoReason.of(e)));
        }
    }

    /** Reads {@code text}; {@code name} is the user's name for it. */
    static HostsPlan parse(final String text, final String name) {
        final YamlText yaml = new YamlText(text, name, "hosts file", "schema: " + SCHEMA);
        final List<PlanProblem> problems = new PlanCheck(tree()).problems(yaml);
        if (!problems.isEmpty()) {
            throw PlanProblem.all(name, problems);
        }
        final HostsPlan plan;
        try {
            plan = YamlText.MAPPER.treeToValue(yaml.tree(), HostsPlan.class);
        } catch (final JacksonException e) {
            throw UserError.usage(name + ": " + e.getOriginalMessage());
        }
        problems.addAll(plan.problems(yaml));
        if (!problems.isEmpty()) {
            throw PlanProblem.all(name, problems);
        }
        return plan;
    }

    private List<PlanProblem> problems(final YamlText yaml) {
        final List<PlanProblem> problems = new ArrayList<>();
        final Map<String, Integer> lines = new HashMap<>();
        for (int i = 0; i < hosts.size(); i++) {
            final String pointer = "/hosts/" + i + "/name";
            final Integer first = lines.putIfAbsent(hosts.get(i).name(), yaml.line(pointer));
            if (first != null) {
                problems.add(
                        new PlanProblem(
                                yaml.line(pointer),
                                "%s is used in line %d already; give it a name of its own."
                                        .formatted(yaml.called(pointer), first)));
            }
        }
        roles.forEach((role, names) -> {
            noRole(role, "/roles/" + role, yaml).ifPresent(problems::add);
            for (final String host : names) {
                if (!lines.containsKey(host)) {
                    final String pointer = "/roles/" + role;
                    problems.add(
                            new PlanProblem(
                                    yaml.line(pointer),
                                    "%s names the host %s, which is not in the list of hosts."
                                            .formatted(yaml.called(pointer), host)));
                }
            }
        });
        return problems;
    }

    /** What is wrong with the name of a role. */
    static Optional<PlanProblem> noRole(
            final String role, final String pointer, final YamlText yaml) {
        final List<String> known =
                RoleCatalog.load().all().stream().map(factory -> factory.name()).toList();
        return known.contains(role)
                ? Optional.empty()
                : Optional.of(
                        new PlanProblem(
                                yaml.line(pointer),
                                yaml.called(pointer)
                                        + " names "
                                        + role
                                        + ", which is not a role; "
                                        + NearestWord.to(role, known)
                                                .map(word -> "did you mean " + word + "?")
                                                .orElse(
                                                        "known are "
                                                                + String.join(", ", known)
                                                                + ".")));
    }

    /** The rules of the file. */
    private static ObjectNode tree() {
        final ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "tickmark hosts");
        final ObjectNode definitions = JsonNodeFactory.instance.objectNode();
        new RecordSchema(definitions).describe(schema, HostsPlan.class);
        ((ObjectNode) schema.at("/properties/schema")).put("const", SCHEMA);
        final ObjectNode names = ((ObjectNode) schema.at("/properties/roles"));
        names.putObject("additionalProperties")
                .put("type", "array")
                .put("minItems", 1)
                .putObject("items")
                .put("type", "string");
        schema.set("$defs", definitions);
        return schema;
    }

    /**
     * Which role runs on which host.
     *
     * @return the rule
     */
    public HostRoles placing() {
        return new HostRoles("the hosts file", hosts.stream().map(HostPlan::name).toList(), roles);
    }
}
