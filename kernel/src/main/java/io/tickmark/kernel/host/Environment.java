package io.tickmark.kernel.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The environment record: all about this machine and JVM that may explain a figure, in groups, with
 * units in the names. What cannot be read is absent. It names the host but nobody: no user name, no
 * environment variables, no paths.
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
     * @param resultsFolder where results go; it need not exist yet
     * @param libraryVersions of engines and libraries, name to version
     * @return groups, each with names and values: numbers, booleans, text, and lists and maps of
     *     these
     */
    public static Map<String, Map<String, Object>> describe(
            final Path resultsFolder, final Map<String, String> libraryVersions) {
        return new Environment(HostFiles.ofThisHost()).collect(resultsFolder, libraryVersions);
    }

    /**
     * Libraries in this process that take sockets away from the kernel. A role started by a wrapper
     * command asks this for itself.
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

    /** What the doctor would say of this machine as it is. */
    private Map<String, Object> checks() {
        final Facts facts = new Facts();
        HostChecks.all(groups).forEach(check -> facts.put(check.subject(), check.toMap()));
        return facts.toMap();
    }

    /** A library or a kernel that surprises us costs its group and not the run. */
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
            return Map.of(); // its native part may not load here; the files tell enough
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
}
