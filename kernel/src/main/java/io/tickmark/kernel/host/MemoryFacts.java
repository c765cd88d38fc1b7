package io.tickmark.kernel.host;

import java.util.Map;
import java.util.Optional;

/** Memory, huge pages and swap. */
final class MemoryFacts {
    private static final String HUGE = "/sys/kernel/mm/transparent_hugepage";

    private MemoryFacts() {}

    static Facts memory(final HostFiles files) {
        final Map<String, String> info = files.keyed("/proc/meminfo", ":").orElse(Map.of());
        final Optional<Long> swapBytes = bytes(info, "SwapTotal");
        return new Facts()
                .put("totalBytes", bytes(info, "MemTotal"))
                .put("availableBytes", bytes(info, "MemAvailable"))
                .put("swapBytes", swapBytes)
                .put(
                        "swapUsedBytes",
                        swapBytes.flatMap(
                                total -> bytes(info, "SwapFree").map(free -> total - free)))
                .put("swappiness", files.number("/proc/sys/vm/swappiness"))
                .put("transparentHugePages", files.chosen(HUGE + "/enabled"))
                .put("transparentHugePagesDefrag", files.chosen(HUGE + "/defrag"))
                .put("hugePages", number(info, "HugePages_Total"))
                .put("hugePagesFree", number(info, "HugePages_Free"))
                .put("hugePageBytes", bytes(info, "Hugepagesize"))
                .put("sharedMemoryBytes", bytes(info, "Shmem"));
    }

    private static Optional<Long> number(final Map<String, String> info, final String key) {
        return Optional.ofNullable(info.get(key)).flatMap(HostFiles::leadingNumber);
    }

    private static Optional<Long> bytes(final Map<String, String> info, final String key) {
        return number(info, key).map(kib -> kib * 1024);
    }
}
