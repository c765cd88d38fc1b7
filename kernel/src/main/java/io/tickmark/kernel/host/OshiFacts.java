package io.tickmark.kernel.host;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.ProcessorCache;
import oshi.software.os.OperatingSystem;

/** What OSHI knows of any system; its first call takes about 0.2 s. */
final class OshiFacts {
    private OshiFacts() {}

    static Map<String, Object> cpu() {
        final CentralProcessor processor = new SystemInfo().getHardware().getProcessor();
        final CentralProcessor.ProcessorIdentifier identity = processor.getProcessorIdentifier();
        final int physical = processor.getPhysicalProcessorCount();
        final int logical = processor.getLogicalProcessorCount();
        final Facts facts =
                new Facts()
                        .put("model", identity.getName())
                        .put("vendor", identity.getVendor())
                        .put("microarchitecture", identity.getMicroarchitecture())
                        .put("logicalCores", logical)
                        .put("physicalCores", physical)
                        .put("sockets", processor.getPhysicalPackageCount());
        if (physical > 0) {
            facts.put("threadsPerCore", logical / physical);
        }
        if (processor.getMaxFreq() > 0) {
            facts.put("maxMhz", processor.getMaxFreq() / 1_000_000);
        }
        caches(processor.getProcessorCaches(), facts);
        return facts.toMap();
    }

    static Map<String, Object> os() {
        final OperatingSystem os = new SystemInfo().getOperatingSystem();
        return new Facts()
                .put("family", os.getFamily())
                .put("version", os.getVersionInfo().toString())
                .toMap();
    }

    static long memoryBytes() {
        return new SystemInfo().getHardware().getMemory().getTotal();
    }

    private static void caches(final List<ProcessorCache> caches, final Facts facts) {
        caches.stream()
                .sorted(Comparator.comparing(ProcessorCache::getLevel))
                .forEach(cache -> facts.put(cacheName(cache), cache.getCacheSize()));
    }

    /** {@code l1DataCacheBytes}, {@code l2CacheBytes}: of one cache, however many there are. */
    private static String cacheName(final ProcessorCache cache) {
        final String type =
                switch (cache.getType()) {
                    case UNIFIED -> "";
                    case DATA -> "Data";
                    case INSTRUCTION -> "Instruction";
                    case TRACE -> "Trace";
                };
        return String.format(Locale.ROOT, "l%d%sCacheBytes", cache.getLevel(), type);
    }
}
