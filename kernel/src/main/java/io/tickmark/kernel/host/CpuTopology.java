package io.tickmark.kernel.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which logical CPUs share a physical core, and which are near the same memory.
 *
 * @param cpus those that hot threads of this process may use, ascending
 */
public record CpuTopology(List<Cpu> cpus) {
    private static final String CPUS = "/sys/devices/system/cpu";
    private static final String NODES = "/sys/devices/system/node";

    /**
     * A logical CPU: what {@code --core} and {@code taskset} mean by a number.
     *
     * @param number of it
     * @param node NUMA node, 0 where the kernel reports none
     * @param core lowest number of the CPUs that share its physical core; its own number where it
     *     does not share one
     * @param isIsolated whether the scheduler puts nothing there by itself
     */
    public record Cpu(int number, int node, int core, boolean isIsolated) {}

    /** Copies the list. */
    public CpuTopology {
        cpus = List.copyOf(cpus);
    }

    /**
     * This machine, restricted to what this process may use.
     *
     * @return the topology
     */
    public static CpuTopology ofThisHost() {
        return read(HostFiles.ofThisHost(), Affinity.coresForHotThreads());
    }

    /**
     * A machine whose {@code /sys} is below another folder.
     *
     * @param root used in place of {@code /}
     * @param allowed CPUs to look at
     * @return the topology
     */
    public static CpuTopology below(final Path root, final List<Integer> allowed) {
        return read(new HostFiles(root), allowed);
    }

    private static CpuTopology read(final HostFiles files, final List<Integer> allowed) {
        final Map<Integer, Integer> nodes = new TreeMap<>();
        for (final String name : files.names(NODES)) {
            if (name.matches("node\\d{1,4}")) {
                final int node = Integer.parseInt(name.substring("node".length()));
                list(files, NODES + "/" + name + "/cpulist").forEach(cpu -> nodes.put(cpu, node));
            }
        }
        final List<Integer> isolated = Affinity.isolatedCores(files);
        final List<Cpu> cpus = new ArrayList<>();
        for (final int number : allowed) {
            final List<Integer> sharing =
                    list(files, CPUS + "/cpu" + number + "/topology/thread_siblings_list");
            cpus.add(
                    new Cpu(
                            number,
                            nodes.getOrDefault(number, 0),
                            sharing.isEmpty() ? number : sharing.getFirst(),
                            isolated.contains(number)));
        }
        return new CpuTopology(cpus);
    }

    private static List<Integer> list(final HostFiles files, final String path) {
        return files.text(path).flatMap(CoreList::parse).orElse(List.of());
    }
}
