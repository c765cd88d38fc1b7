package io.tickmark.lab.compare;

import io.tickmark.lab.compare.Comparison.Difference;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Differences of two runs besides their figures: version, machine, plan, settings; not what the
 * runs are named after, as in a matrix.
 */
final class Differences {
    /** Groups and facts of the environment that change all the time. */
    private static final Set<String> MOMENTARY =
            Set.of(
                    "load",
                    "checks",
                    "numa",
                    "memory.availableBytes",
                    "disks.resultsFolder",
                    "disks.temporaryFolder");

    private static final YAMLMapper YAML = new YAMLMapper();

    private Differences() {}

    static List<Difference> of(final Side first, final Side other) {
        final Map<String, String> a = facts(first, other);
        final Map<String, String> b = facts(other, first);
        final Set<String> names = new TreeSet<>(a.keySet());
        names.addAll(b.keySet());
        final List<Difference> differences = new ArrayList<>();
        for (final String name : names) {
            final String before = a.getOrDefault(name, "");
            final String after = b.getOrDefault(name, "");
            final boolean isSaid = before.equals(first.name()) && after.equals(other.name());
            if (!before.equals(after) && !isSaid && !isMomentary(name)) {
                differences.add(new Difference(other.name(), name, before, after));
            }
        }
        return differences;
    }

    private static boolean isMomentary(final String name) {
        return MOMENTARY.contains(name)
                || MOMENTARY.contains(name.substring(0, Math.max(0, name.indexOf('.'))));
    }

    /**
     * A group that the other side lacks, such as a host, is one fact: hundreds would hide the rest.
     */
    private static Map<String, String> facts(final Side side, final Side beside) {
        final Set<String> groupsBeside = beside.result().environment().keySet();
        final Map<String, String> facts = new TreeMap<>();
        facts.put("tickmark.version", side.result().tickmark());
        facts.put("plan.name", side.result().plan());
        side.result()
                .environment()
                .forEach((group, values) -> {
                    if (groupsBeside.contains(group)) {
                        values.forEach((name, value) ->
                                facts.put(group + "." + name, String.valueOf(value)));
                    } else {
                        facts.put(group, values.size() + " facts");
                    }
                });
        plan(side).ifPresent(plan -> flatten("plan", plan, facts));
        return facts;
    }

    /** The plan as resolved, where its file exists and is complete. */
    static Optional<JsonNode> plan(final Side side) {
        final Optional<Path> file = side.folder().map(folder -> folder.resolve(ResultFolder.PLAN));
        if (file.isEmpty() || !Files.isRegularFile(file.get())) {
            return Optional.empty();
        }
        try {
            return Optional.of(YAML.readTree(Files.readString(file.get())));
        } catch (final IOException | JacksonException e) {
            return Optional.empty(); // a plan only explains figures
        }
    }

    private static void flatten(
            final String place, final JsonNode node, final Map<String, String> facts) {
        if (node.isObject()) {
            node.propertyStream()
                    .forEach(entry ->
                            flatten(place + "." + entry.getKey(), entry.getValue(), facts));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                final JsonNode element = node.get(i);
                final String name = element.path("name").asString(Integer.toString(i));
                flatten(place + "." + name, element, facts);
            }
        } else {
            facts.put(place, node.asString());
        }
    }
}
