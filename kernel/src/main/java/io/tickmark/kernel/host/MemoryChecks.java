package io.tickmark.kernel.host;

import io.tickmark.kernel.host.HostCheck.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What memory does to figures: huge pages, swap, nodes. */
final class MemoryChecks {
    private static final String TAIL = "the tail of every latency";

    private final Recorded recorded;
    private final List<HostCheck> found = new ArrayList<>();

    MemoryChecks(final Recorded recorded) {
        this.recorded = recorded;
    }

    List<HostCheck> all() {
        hugePages();
        swap();
        nodes();
        return found;
    }

    private void hugePages() {
        final String huge = recorded.text("memory", "transparentHugePages");
        if (huge.equals("always")) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            "transparent huge pages",
                            "Transparent huge pages are 'always' on",
                            "the kernel may stop a thread to compact memory",
                            "set them to 'madvise'",
                            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                            TAIL));
        } else if (!huge.isEmpty()) {
            ok("transparent huge pages", "Transparent huge pages are set to '" + huge + "'");
        }
    }

    private void swap() {
        final double usedBytes = recorded.number("memory", "swapUsedBytes").orElse(0.0);
        if (usedBytes > 0) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            "swap",
                            String.format(
                                    Locale.ROOT,
                                    "Swap is in use (%.0f MiB)",
                                    Math.ceil(usedBytes / (1 << 20))),
                            "a page that must be read back takes milliseconds",
                            "free memory, or switch it off",
                            "swapoff -a",
                            TAIL));
        } else if (recorded.number("memory", "swapUsedBytes").isPresent()) {
            ok("swap", "No swap is in use");
        }
    }

    private void nodes() {
        final int nodes = CoreList.parse(recorded.text("numa", "nodes")).map(List::size).orElse(0);
        if (nodes > 1) {
            final boolean isBalanced = recorded.flag("kernel", "numaBalancing").orElse(false);
            found.add(
                    new HostCheck(
                            isBalanced ? Severity.WARNING : Severity.NOTE,
                            "NUMA placement",
                            "Memory is on %d nodes%s"
                                    .formatted(
                                            nodes,
                                            isBalanced ? ", and the kernel moves pages" : ""),
                            "a thread that reads another node's memory waits longer",
                            "keep hot threads, their memory and the network card on one node",
                            isBalanced
                                    ? "sysctl -w kernel.numa_balancing=0"
                                    : "numactl --cpunodebind=0 --membind=0",
                            "rates and latency"));
        } else if (nodes == 1) {
            ok("NUMA placement", "All memory is on one node");
        }
    }

    private void ok(final String subject, final String is) {
        found.add(new HostCheck(Severity.OK, subject, is, "", "", "", TAIL));
    }
}
