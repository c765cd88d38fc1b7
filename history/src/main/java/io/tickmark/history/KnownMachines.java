package io.tickmark.history;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What figures must share to form one series beside what was measured: the machine, and where roles
 * were placed.
 *
 * @param machine name, processor and cores of the machine that led the run, as far as known: {@code
 *     lab-3 (AMD EPYC 9654, 2 cores)}
 * @param placement which roles ran on which other hosts; empty where all ran on that machine
 */
record KnownMachines(String machine, String placement) {
    private static final String OTHER_HOST = "host ";

    /** Names that Docker and Podman give to unnamed containers. */
    private static final Pattern NAMED_BY_NOBODY = Pattern.compile("[0-9a-f]{12}");

    static KnownMachines of(final RunResult run) {
        final Map<String, Map<String, Object>> facts = run.environment();
        final String machine =
                named(
                        lastingName(run),
                        text(facts.getOrDefault("cpu", Map.of()).get("model")),
                        text(facts.getOrDefault("cpu", Map.of()).get("logicalCores")));
        return new KnownMachines(machine, placement(run));
    }

    /**
     * The host's name where the next run has it too. A container gets a new one each time unless
     * somebody chose it, and a pod nearly always: with such names no two runs would form a series.
     */
    private static String lastingName(final RunResult run) {
        final String name = RunId.host(run);
        final String container =
                text(run.environment().getOrDefault("virtualisation", Map.of()).get("container"));
        final boolean isPassing =
                container.equals("kubernetes")
                        || !container.isEmpty() && NAMED_BY_NOBODY.matcher(name).matches();
        return isPassing ? container : name;
    }

    private static String placement(final RunResult run) {
        final Map<String, String> hosts = new TreeMap<>();
        run.environment()
                .forEach((group, facts) -> {
                    if (group.startsWith(OTHER_HOST)) {
                        final String name = group.substring(OTHER_HOST.length());
                        hosts.put(
                                name,
                                named(
                                        name,
                                        text(facts.get("cpu.model")),
                                        text(facts.get("cpu.logicalCores"))));
                    }
                });
        final Map<String, TreeSet<String>> hostsByRole = new TreeMap<>();
        run.trials().stream()
                .map(TrialResult::roles)
                .flatMap(Collection::stream)
                .forEach(role -> {
                    final String host = elsewhere(role);
                    if (!host.isEmpty()) {
                        hostsByRole
                                .computeIfAbsent(role.role(), _ -> new TreeSet<>())
                                .add(hosts.getOrDefault(host, host));
                    }
                });
        if (hostsByRole.isEmpty()) {
            return hosts.isEmpty() ? "" : "hosts " + String.join(" and ", hosts.values());
        }
        return hostsByRole.entrySet().stream()
                .map(entry -> entry.getKey() + " on " + String.join(" and ", entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** The host that a role notes when it is another than the controller's. */
    private static String elsewhere(final RoleSummary role) {
        return text(role.metrics().get("host"));
    }

    private static String named(final String name, final String model, final String cores) {
        final String processor =
                Stream.of(
                                model,
                                cores.isEmpty()
                                        ? ""
                                        : cores.equals("1") ? "1 core" : cores + " cores")
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(", "));
        if (name.isEmpty()) {
            return processor;
        }
        return processor.isEmpty() ? name : name + " (" + processor + ")";
    }

    private static String text(final Object fact) {
        return fact == null ? "" : fact.toString().strip();
    }
}
