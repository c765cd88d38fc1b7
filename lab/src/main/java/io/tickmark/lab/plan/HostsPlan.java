package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The machines of a run, and which roles go where.
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

    /** What the machine of the controller is called where roles run on it. */
    public static final String LOCAL = "local";

    /** Copies list and map. */
    public HostsPlan {
        hosts = List.copyOf(hosts);
        roles = TestPlan.copy(roles);
    }

    /**
     * Reads a file of hosts.
     *
     * @param file to read
     * @return the hosts
     * @throws UserError that names file, line and key of all that is wrong
     */
    public static HostsPlan read(final Path file) {
        try {
            if (Files.size(file) > YamlText.MAX_BYTES) {
                throw UserError.usage(file + ": longer than a file of hosts may be (1 MiB).");
            }
            return parse(Files.readString(file), file.toString());
        } catch (final IOException e) {
            throw UserError.usage(
                    "--hosts: %s cannot be read (%s); name a file that lists the hosts."
                            .formatted(file, IoReason.of(e)));
        }
    }

    /** Reads {@code text}; {@code name} is what the user calls it. */
    static HostsPlan parse(final String text, final String name) {
        final YamlText yaml = new YamlText(text, name, "file of hosts", SCHEMA);
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
        final List<String> known =
                RoleCatalog.load().all().stream().map(factory -> factory.name()).toList();
        roles.forEach((role, names) -> {
            if (!known.contains(role)) {
                final String pointer = "/roles/" + role;
                problems.add(
                        new PlanProblem(
                                yaml.line(pointer),
                                yaml.called(pointer)
                                        + " is no role; "
                                        + NearestWord.to(role, known)
                                                .map(word -> "did you mean " + word + "?")
                                                .orElse(
                                                        "known are "
                                                                + String.join(", ", known)
                                                                + ".")));
            }
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
     * Which host each instance of a test runs on: as the plan says, then as this file says. Of the
     * roles that neither places, the first goes to the first host, and those of the others take
     * turns on the hosts after it, or join it where there are none.
     *
     * @param cast of the test
     * @return name of the host by id of the role
     * @throws UserError if the plan names a host that is not listed, or puts roles of one process
     *     on two hosts
     */
    public Map<String, String> place(final List<RoleInstance> cast) {
        final Map<String, String> placed = new LinkedHashMap<>();
        final Map<String, String> processes = new HashMap<>();
        final List<String> rest =
                hosts.subList(Math.min(1, hosts.size() - 1), hosts.size()).stream()
                        .map(HostPlan::name)
                        .toList();
        String first = null;
        int turn = 0;
        for (final RoleInstance role : cast) {
            final List<String> own =
                    role.plan().hosts().isEmpty()
                            ? roles.getOrDefault(role.role(), List.of())
                            : role.plan().hosts();
            final String host;
            if (!own.isEmpty()) {
                host = own.get((role.index() - 1) % own.size());
                check(role, host);
            } else {
                first = first == null ? role.role() : first;
                host =
                        first.equals(role.role())
                                ? hosts.getFirst().name()
                                : rest.get(turn++ % rest.size());
            }
            placed.put(role.id(), host);
            final String together = processes.putIfAbsent(role.process(), host);
            if (together != null && !together.equals(host)) {
                throw UserError.usage(
                        "%s shares the process %s, which runs on %s, and cannot run on %s; place them together."
                                .formatted(role.id(), role.process(), together, host));
            }
        }
        return placed;
    }

    private void check(final RoleInstance role, final String host) {
        if (hosts.stream().noneMatch(known -> known.name().equals(host))) {
            throw UserError.usage(
                    "%s is to run on host %s, which the file of hosts does not list."
                            .formatted(role.role(), host));
        }
    }
}
