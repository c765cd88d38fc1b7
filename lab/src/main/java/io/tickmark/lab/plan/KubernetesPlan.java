package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods of a run on Kubernetes, and which roles run where.
 *
 * @param schema name and version of the format
 * @param context of the kubeconfig; empty for the current one
 * @param namespace of jobs and pods; empty for that of the context
 * @param image that contains tickmark; empty where a release is named
 * @param release of the Helm chart whose pods are used; empty to create jobs
 * @param home folder of tickmark in the image
 * @param hostNetwork whether pods use their node's network
 * @param spread whether each pod runs on a separate node
 * @param patience how long pods may take until they run
 * @param jobs at least one
 */
public record KubernetesPlan(
        @PlanKey(help = "Name and version of this format: tickmark.kubernetes/1.", required = true)
                String schema,
        @PlanKey(help = "Context of the kubeconfig (default: the current one).") String context,
        @PlanKey(
                        help = "Namespace of jobs and pods (default: that of the context).",
                        pattern = PlanPatterns.LABEL)
                String namespace,
        @PlanKey(help = "Image that holds this build of tickmark ('deploy/package container').")
                String image,
        @PlanKey(
                        help =
                                "Release of the Helm chart whose pods are used (default: jobs are made and deleted instead).",
                        pattern = PlanPatterns.LABEL)
                String release,
        @PlanKey(
                        help = "Folder of tickmark in the image (default: /opt/tickmark).",
                        pattern = PlanPatterns.REMOTE_PATH)
                String home,
        @PlanKey(
                        help =
                                "Whether pods use their node's network, which figures about machines need (default: no).")
                Boolean hostNetwork,
        @PlanKey(help = "Whether each pod gets a node of its own (default: yes).") Boolean spread,
        @PlanKey(help = "How long pods may take to start (default: 2 minutes).") Duration patience,
        @PlanKey(help = "Jobs, each with identical pods.", required = true, minItems = 1)
                List<PodsPlan> jobs) {
    /** Value of the key {@code schema}. */
    public static final String SCHEMA = "tickmark.kubernetes/1";

    /** Fills in what was not given. */
    public KubernetesPlan {
        context = context == null ? "" : context;
        namespace = namespace == null ? "" : namespace;
        image = image == null ? "" : image;
        release = release == null ? "" : release;
        home = home == null ? "/opt/tickmark" : home;
        hostNetwork = hostNetwork == null ? Boolean.FALSE : hostNetwork;
        spread = spread == null ? Boolean.TRUE : spread;
        patience = patience == null ? Duration.ofMinutes(2) : patience;
        jobs = List.copyOf(jobs);
    }

    /**
     * Reads a pods file.
     *
     * @param file to read
     * @return the pods
     * @throws UserError that names file, line and key of all that is wrong
     */
    public static KubernetesPlan read(final Path file) {
        try {
            if (Files.size(file) > YamlText.MAX_BYTES) {
                throw UserError.usage(file + ": longer than a pods file may be (1 MiB).");
            }
            return parse(Files.readString(file), file.toString());
        } catch (final IOException e) {
            throw UserError.usage(
                    "--kubernetes: %s cannot be read (%s); name a file that lists the pods."
                            .formatted(file, IoReason.of(e)));
        }
    }

    /**
     * Reads {@code text}.
     *
     * @param text of the file
     * @param name the user's name for it
     * @return the pods
     * @throws UserError that names line and key of all that is wrong
     */
    public static KubernetesPlan parse(final String text, final String name) {
        final YamlText yaml = new YamlText(text, name, "pods file", "schema: " + SCHEMA);
        final List<PlanProblem> problems = new PlanCheck(tree()).problems(yaml);
        if (!problems.isEmpty()) {
            throw PlanProblem.all(name, problems);
        }
        final KubernetesPlan plan;
        try {
            plan = YamlText.MAPPER.treeToValue(yaml.tree(), KubernetesPlan.class);
        } catch (final JacksonException e) {
            throw UserError.usage(name + ": " + e.getOriginalMessage());
        }
        problems.addAll(plan.problems(yaml, name));
        if (!problems.isEmpty()) {
            throw PlanProblem.all(name, problems);
        }
        return plan;
    }

    private List<PlanProblem> problems(final YamlText yaml, final String name) {
        final List<PlanProblem> problems = new ArrayList<>();
        if (image.isEmpty() && release.isEmpty()) {
            problems.add(
                    new PlanProblem(
                            1,
                            name
                                    + ": name the 'image:' to make jobs with, or the 'release:' of the Helm chart."));
        }
        final Set<String> names = new HashSet<>();
        final Map<String, String> placed = new HashMap<>();
        for (int i = 0; i < jobs.size(); i++) {
            final String pointer = "/jobs/" + i;
            final PodsPlan job = jobs.get(i);
            if (!names.add(job.name())) {
                problems.add(
                        new PlanProblem(
                                yaml.line(pointer + "/name"),
                                "%s is used twice; give each job a name of its own."
                                        .formatted(yaml.called(pointer + "/name"))));
            }
            for (final String role : job.roles()) {
                HostsPlan.noRole(role, pointer + "/roles", yaml).ifPresent(problems::add);
                final String before = placed.putIfAbsent(role, job.name());
                if (before != null) {
                    problems.add(
                            new PlanProblem(
                                    yaml.line(pointer + "/roles"),
                                    "%s names %s, which runs on the pods of %s already."
                                            .formatted(
                                                    yaml.called(pointer + "/roles"),
                                                    role,
                                                    before)));
                }
            }
        }
        return problems;
    }

    /** The rules of the file. */
    private static ObjectNode tree() {
        final ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "tickmark pods");
        final ObjectNode definitions = JsonNodeFactory.instance.objectNode();
        new RecordSchema(definitions).describe(schema, KubernetesPlan.class);
        ((ObjectNode) schema.at("/properties/schema")).put("const", SCHEMA);
        schema.set("$defs", definitions);
        return schema;
    }

    /**
     * Which role runs on which pod.
     *
     * @return the rule
     */
    public HostRoles placing() {
        final Map<String, List<String>> roles = new HashMap<>();
        jobs.forEach(job -> job.roles().forEach(role -> roles.put(role, job.hosts())));
        return new HostRoles(
                "the pods file",
                jobs.stream().flatMap(job -> job.hosts().stream()).toList(),
                roles);
    }
}
