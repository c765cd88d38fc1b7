package io.tickmark.lab.cores;

import io.tickmark.kernel.host.CoreList;
import io.tickmark.kernel.host.CpuTopology;
import io.tickmark.kernel.host.CpuTopology.Cpu;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A way to place the hot threads of a test.
 *
 * @param name short, part of a test's name
 * @param hot a CPU for each hot thread, in the order of the plan; empty where the system decides
 * @param housekeeping CPUs for all other threads: compilers, collectors, the engine's own; empty
 *     where these may run anywhere
 */
public record CorePlacement(String name, List<Integer> hot, List<Integer> housekeeping) {
    /** The system decides. */
    public static final CorePlacement FREE = new CorePlacement("free", List.of(), List.of());

    /**
     * Isolated CPUs are there for hot threads, and are taken first. The first core of a machine has
     * most of the kernel's own work, and is taken last.
     */
    private static final Comparator<Cpu> QUIETEST =
            Comparator.comparing((Cpu cpu) -> !cpu.isIsolated())
                    .thenComparing(cpu -> cpu.core() == 0);

    /** Copies the lists. */
    public CorePlacement {
        hot = List.copyOf(hot);
        housekeeping = List.copyOf(housekeeping);
    }

    /**
     * All useful placements: left to the system; a physical core each within one NUMA node, without
     * and with CPUs set apart for housekeeping; threads that share a physical core; threads on
     * different nodes.
     *
     * @param topology of the machine
     * @param hotThreads at least 1
     * @return the free one first; no two of them use CPUs in the same way
     */
    public static List<CorePlacement> all(final CpuTopology topology, final int hotThreads) {
        final Map<String, CorePlacement> found = new LinkedHashMap<>();
        add(found, FREE);
        final Set<Integer> nodes = new TreeSet<>();
        topology.cpus().forEach(cpu -> nodes.add(cpu.node()));
        for (final int node : nodes) {
            final List<Cpu> ofNode =
                    topology.cpus().stream().filter(cpu -> cpu.node() == node).toList();
            final String prefix = nodes.size() > 1 ? "node" + node + "-" : "";
            apart(found, prefix, ofNode, hotThreads);
            siblings(found, prefix, ofNode, hotThreads);
        }
        if (nodes.size() > 1 && hotThreads > 1) {
            across(found, topology, List.copyOf(nodes), hotThreads);
        }
        return List.copyOf(found.values());
    }

    private static void add(final Map<String, CorePlacement> found, final CorePlacement placement) {
        found.putIfAbsent(placement.hot() + " " + placement.housekeeping(), placement);
    }

    /** One physical core each. */
    private static void apart(
            final Map<String, CorePlacement> found,
            final String prefix,
            final List<Cpu> cpus,
            final int hotThreads) {
        final List<Cpu> quietest = cpus.stream().sorted(QUIETEST).toList();
        final List<Integer> cores = quietest.stream().map(Cpu::core).distinct().toList();
        if (cores.size() < hotThreads) {
            return;
        }
        final List<Integer> used = cores.subList(0, hotThreads);
        final List<Integer> hot =
                used.stream()
                        .map(core ->
                                quietest.stream()
                                        .filter(cpu -> cpu.core() == core)
                                        .findFirst()
                                        .orElseThrow()
                                        .number())
                        .toList();
        add(found, new CorePlacement(prefix + "cores", hot, List.of()));
        final List<Integer> others =
                cpus.stream()
                        .filter(cpu -> !used.contains(cpu.core()) && !cpu.isIsolated())
                        .map(Cpu::number)
                        .toList();
        if (!others.isEmpty()) {
            add(found, new CorePlacement(prefix + "cores-housekeeping", hot, others));
        }
    }

    /** As few physical cores as hold all threads. */
    private static void siblings(
            final Map<String, CorePlacement> found,
            final String prefix,
            final List<Cpu> cpus,
            final int hotThreads) {
        final Map<Integer, List<Integer>> byCore = new LinkedHashMap<>();
        cpus.stream()
                .sorted(QUIETEST)
                .forEach(cpu ->
                        byCore.computeIfAbsent(cpu.core(), core -> new ArrayList<>())
                                .add(cpu.number()));
        final List<Integer> packed =
                byCore.values().stream()
                        .filter(sharing -> sharing.size() > 1)
                        .flatMap(List::stream)
                        .toList();
        if (hotThreads > 1 && packed.size() >= hotThreads) {
            add(
                    found,
                    new CorePlacement(
                            prefix + "siblings", packed.subList(0, hotThreads), List.of()));
        }
    }

    /** Each thread on the next node. */
    private static void across(
            final Map<String, CorePlacement> found,
            final CpuTopology topology,
            final List<Integer> nodes,
            final int hotThreads) {
        final Set<Integer> hot = new LinkedHashSet<>();
        final Set<Integer> used = new TreeSet<>();
        for (int i = 0; i < hotThreads; i++) {
            final int node = nodes.get(i % nodes.size());
            topology.cpus().stream()
                    .filter(cpu -> cpu.node() == node && !used.contains(cpu.core()))
                    .min(QUIETEST)
                    .ifPresent(cpu -> {
                        hot.add(cpu.number());
                        used.add(cpu.core());
                    });
        }
        if (hot.size() == hotThreads) {
            add(found, new CorePlacement("across-nodes", List.copyOf(hot), List.of()));
        }
    }

    /**
     * A short description.
     *
     * @return CPUs of the hot threads and of the others
     */
    public String words() {
        if (hot.isEmpty()) {
            return "left to the system";
        }
        return "hot threads on "
                + String.join(", ", hot.stream().map(String::valueOf).toList())
                + (housekeeping.isEmpty()
                        ? ""
                        : ", all others on " + CoreList.format(housekeeping));
    }
}
