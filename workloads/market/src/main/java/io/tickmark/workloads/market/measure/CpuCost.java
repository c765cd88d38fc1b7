package io.tickmark.workloads.market.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.Map;

/**
 * The cost of a period of work: allocation of one thread, CPU time of the whole process, including
 * the collector.
 *
 * @param allocatedBytes by the thread
 * @param cpuNs of all cores together, by the process
 */
public record CpuCost(long allocatedBytes, long cpuNs) {
    /** Nothing. */
    public static final CpuCost NONE = new CpuCost(0, 0);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final double THOUSANDTHS = 1e3;

    /**
     * The cost of the calling thread and its process so far.
     *
     * @return totals that only grow
     */
    public static CpuCost now() {
        return new CpuCost(THREADS.getCurrentThreadAllocatedBytes(), SYSTEM.getProcessCpuTime());
    }

    /**
     * The cost of the calling thread, one that works for it, and the process so far.
     *
     * @param helperId of the other thread, 0 for none
     * @return totals that only grow while the other thread lives
     */
    public static CpuCost now(final long helperId) {
        final CpuCost own = now();
        return helperId == 0
                ? own
                : new CpuCost(
                        own.allocatedBytes + THREADS.getThreadAllocatedBytes(helperId), own.cpuNs);
    }

    /**
     * The cost in between.
     *
     * @param earlier of the same thread
     * @return the difference
     */
    public CpuCost since(final CpuCost earlier) {
        return new CpuCost(allocatedBytes - earlier.allocatedBytes, cpuNs - earlier.cpuNs);
    }

    /**
     * Puts figures for each update among a role's metrics.
     *
     * @param metrics to fill
     * @param threads of one process at the same time
     * @param updates of all of them together; without any there are no figures
     */
    public static void put(
            final Map<String, Object> metrics,
            final Collection<CpuCost> threads,
            final long updates) {
        if (updates == 0) {
            return;
        }
        final long bytes = threads.stream().mapToLong(CpuCost::allocatedBytes).sum();
        final long cpuNs = threads.stream().mapToLong(CpuCost::cpuNs).max().orElse(0);
        metrics.put(
                "allocatedBytesPerUpdate", Math.round(bytes * THOUSANDTHS / updates) / THOUSANDTHS);
        metrics.put("cpuNsPerUpdate", Math.round((double) cpuNs / updates));
    }
}
