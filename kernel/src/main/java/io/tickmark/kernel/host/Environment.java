package io.tickmark.kernel.host;

import io.tickmark.kernel.settings.Secrets;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.ProcessorCache;
import oshi.software.os.OperatingSystem;

/**
 * The environment record: everything about this machine and JVM that may explain a figure, in
 * groups, with units in the names. What cannot be read is absent. It names the host but no user: no
 * user name, no environment variables, no paths.
 */
public final class Environment {
    private final HostFiles files;
    private final Map<String, Map<String, Object>> groups = new LinkedHashMap<>();

    private Environment(final HostFiles files) {
        this.files = files;
    }

    /**
     * Describes the machine; takes a quarter of a second the first time.
     *
     * @param resultsFolder where results are written; it need not exist yet
     * @param libraryVersions of engines and libraries, name to version
     * @return groups, each with names and values: numbers, booleans, text, and lists and maps of
     *     these
     */
    public static Map<String, Map<String, Object>> describe(
            final Path resultsFolder, final Map<String, String> libraryVersions) {
        return new Environment(HostFiles.ofThisHost()).collect(resultsFolder, libraryVersions);
    }

    /**
     * Libraries in this process that bypass the kernel's sockets. A role started by a wrapper
     * command checks this for itself.
     *
     * @return names, for example {@code onload}; empty where there is none
     */
    public static List<String> kernelBypass() {
        return NetworkFacts.bypass(HostFiles.ofThisHost());
    }

    private Map<String, Map<String, Object>> collect(
            final Path resultsFolder, final Map<String, String> libraryVersions) {
        group("host", () -> new Facts().put("name", hostName()).toMap());
        group("os", this::os);
        group("kernel", () -> KernelFacts.kernel(files).toMap());
        group("cpu", this::cpu);
        group("interrupts", () -> InterruptFacts.interrupts(files).toMap());
        group("numa", () -> CpuFacts.numa(files).toMap());
        group("memory", this::memory);
        group("virtualisation", () -> VirtualFacts.virtualisation(files).toMap());
        group("limits", () -> LimitFacts.limits(files).toMap());
        group(TimeSync.GROUP, () -> TimeSync.facts(files).toMap());
        group("load", () -> LimitFacts.load(files).toMap());
        group("disks", () -> DiskFacts.disks(files, resultsFolder).toMap());
        group("network", () -> NetworkFacts.interfaces(files).toMap());
        group("sockets", () -> NetworkFacts.sockets(files).toMap());
        group("jvm", () -> JvmFacts.jvm().toMap());
        group("libraries", () -> new Facts().addAbsent(Map.copyOf(libraryVersions)).toMap());
        group("checks", this::checks);
        return Collections.unmodifiableMap(groups);
    }

    /** What the doctor would report about this machine at present. */
    private Map<String, Object> checks() {
        final Facts facts = new Facts();
        HostChecks.all(groups).forEach(check -> facts.put(check.subject(), check.toMap()));
        return facts.toMap();
    }

    /** An unexpected library or kernel loses its group but does not end the run. */
    private void group(final String name, final Supplier<Map<String, Object>> facts) {
        try {
            final Map<String, Object> found = facts.get();
            if (!found.isEmpty()) {
                groups.put(name, found);
            }
        } catch (final RuntimeException | LinkageError e) {
            groups.put(name, Map.of("notKnown", String.valueOf(e.getMessage())));
        }
    }

    private Map<String, Object> cpu() {
        return new Facts()
                .addAbsent(orNone(OshiFacts::cpu))
                .addAbsent(CpuFacts.cpu(files).toMap())
                .toMap();
    }

    private Map<String, Object> os() {
        return new Facts()
                .addAbsent(orNone(OshiFacts::os))
                .put("name", System.getProperty("os.name"))
                .put("architecture", System.getProperty("os.arch"))
                .toMap();
    }

    private Map<String, Object> memory() {
        return MemoryFacts.memory(files)
                .addAbsent(orNone(() -> Map.of("totalBytes", OshiFacts.memoryBytes())))
                .toMap();
    }

    private static Map<String, Object> orNone(final Supplier<Map<String, Object>> facts) {
        try {
            return facts.get();
        } catch (final RuntimeException | LinkageError e) {
            return Map.of(); // its native part may not load here; the files suffice
        }
    }

    private String hostName() {
        return files.text("/proc/sys/kernel/hostname").orElseGet(Environment::nameOfLocalHost);
    }

    private static String nameOfLocalHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (final UnknownHostException e) {
            return "";
        }
    }

    /** On which cores devices' interrupts may be served. */
    private static final class InterruptFacts {
        private static final String FOLDER = "/proc/irq";

        private InterruptFacts() {}

        static Facts interrupts(final HostFiles files) {
            final TreeSet<Integer> cores = new TreeSet<>();
            files.names(FOLDER).stream()
                    .filter(name -> name.matches("\\d{1,6}"))
                    .map(name -> files.text(FOLDER + "/" + name + "/effective_affinity_list"))
                    .forEach(text -> text.flatMap(CoreList::parse).ifPresent(cores::addAll));
            return new Facts()
                    .put("cores", cores.isEmpty() ? "" : CoreList.format(List.copyOf(cores)));
        }
    }

    /** What OSHI reports about any system; its first call takes about 0.2 s. */
    private static final class OshiFacts {
        private OshiFacts() {}

        static Map<String, Object> cpu() {
            final CentralProcessor processor = new SystemInfo().getHardware().getProcessor();
            final CentralProcessor.ProcessorIdentifier identity =
                    processor.getProcessorIdentifier();
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

    /** This JVM: those of the roles may differ as their plan says. */
    static final class JvmFacts {
        private JvmFacts() {}

        static Facts jvm() {
            final RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
            final List<String> collectors =
                    ManagementFactory.getGarbageCollectorMXBeans().stream()
                            .map(GarbageCollectorMXBean::getName)
                            .toList();
            return new Facts()
                    .put("version", Runtime.version().toString())
                    .put("name", runtime.getVmName())
                    .put("vendor", runtime.getVmVendor())
                    .put("collector", collector(collectors))
                    .put("heapMaxBytes", Runtime.getRuntime().maxMemory())
                    .put(
                            "heapInitialBytes",
                            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getInit())
                    .put("availableProcessors", Runtime.getRuntime().availableProcessors())
                    .put(
                            "flags",
                            flags(runtime.getInputArguments(), System.getProperty("user.home")));
        }

        /** The collector's usual name, from the names of its parts. */
        static String collector(final List<String> parts) {
            final String all = String.join(", ", parts);
            if (all.startsWith("G1")) {
                return "G1";
            } else if (all.startsWith("PS ")) {
                return "Parallel";
            } else if (all.startsWith("Copy")) {
                return "Serial";
            } else if (all.startsWith("ZGC")) {
                return "ZGC";
            }
            return all.startsWith("Shenandoah") ? "Shenandoah" : all;
        }

        /** Without private data: secrets, and the home folder, which contains its owner's name. */
        static List<String> flags(final List<String> arguments, final String home) {
            return arguments.stream()
                    .filter(flag -> !Secrets.isNamedBy(flag))
                    .map(flag -> home == null || home.length() < 2 ? flag : flag.replace(home, "~"))
                    .toList();
        }
    }

    /** Memory, huge pages and swap. */
    static final class MemoryFacts {
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
}
