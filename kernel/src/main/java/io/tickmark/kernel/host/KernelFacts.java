package io.tickmark.kernel.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The kernel and how it was started and tuned. */
final class KernelFacts {
    private static final String CPUS = "/sys/devices/system/cpu";
    private static final String TIMER_HZ = "CONFIG_HZ";
    private static final String NO_HZ_FULL = "CONFIG_NO_HZ_FULL";
    private static final String RCU_NOCB = "CONFIG_RCU_NOCB_CPU";
    private static final Set<String> BUILT = Set.of(TIMER_HZ, NO_HZ_FULL, RCU_NOCB);
    private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0";

    /**
     * Options of the command line that affect latency. The others (devices, addresses, keys)
     * identify the owner of a machine and are omitted.
     */
    private static final Set<String> TUNING =
            Set.of(
                    "isolcpus",
                    "nohz",
                    "nohz_full",
                    "rcu_nocbs",
                    "rcu_nocb_poll",
                    "irqaffinity",
                    "kthread_cpus",
                    "managed_irq",
                    "mitigations",
                    "spectre_v2",
                    "pti",
                    "nopti",
                    "nosmt",
                    "idle",
                    "intel_idle.max_cstate",
                    "processor.max_cstate",
                    "intel_pstate",
                    "amd_pstate",
                    "cpufreq.default_governor",
                    "cpuidle.off",
                    "cpuidle_haltpoll.force",
                    "haltpoll.guest_halt_poll_ns",
                    "clocksource",
                    "tsc",
                    "skew_tick",
                    "nowatchdog",
                    "nmi_watchdog",
                    "nosoftlockup",
                    "mce",
                    "audit",
                    "threadirqs",
                    "preempt",
                    "numa_balancing",
                    "transparent_hugepage",
                    "hugepages",
                    "hugepagesz",
                    "default_hugepagesz",
                    "iommu",
                    "intel_iommu",
                    "amd_iommu",
                    "swiotlb");

    private KernelFacts() {}

    static Facts kernel(final HostFiles files) {
        final Optional<String> release = files.text("/proc/sys/kernel/osrelease");
        final Optional<Map<String, String>> config = config(files, release.orElse(""));
        return new Facts()
                .put("release", release)
                .put("version", files.text("/proc/sys/kernel/version"))
                .put("realTime", files.number("/sys/kernel/realtime").map(flag -> flag != 0))
                .put("tuningOptions", tuningOptions(files))
                .put("isolatedCores", files.text(CPUS + "/isolated"))
                .put("nohzFullCores", nohzFull(files))
                .put("clockSource", files.text(CLOCK + "/current_clocksource"))
                .put("clockSources", files.text(CLOCK + "/available_clocksource"))
                .put(
                        "timerHz",
                        config.map(built -> built.get(TIMER_HZ)).flatMap(HostFiles::leadingNumber))
                .put("nohzFullBuilt", isBuilt(config, NO_HZ_FULL))
                .put("rcuNocbBuilt", isBuilt(config, RCU_NOCB))
                .put("bootOptionsIn", bootOptionsIn(files))
                .put("mitigated", mitigated(files))
                .put("numaBalancing", flag(files, "/proc/sys/kernel/numa_balancing"))
                .put("nmiWatchdog", flag(files, "/proc/sys/kernel/nmi_watchdog"))
                .put("realTimeRuntimeUs", files.number("/proc/sys/kernel/sched_rt_runtime_us"));
    }

    private static Optional<Boolean> flag(final HostFiles files, final String path) {
        return files.number(path).map(value -> value != 0);
    }

    private static List<String> tuningOptions(final HostFiles files) {
        return Arrays.stream(files.text("/proc/cmdline").orElse("").split("\\s+"))
                .filter(option -> TUNING.contains(option.split("=", 2)[0]))
                .toList();
    }

    /** The kernel writes {@code (null)} where it could have some but has none. */
    private static Optional<String> nohzFull(final HostFiles files) {
        return files.text(CPUS + "/nohz_full").filter(text -> !text.contains("null"));
    }

    private static List<String> mitigated(final HostFiles files) {
        final String folder = CPUS + "/vulnerabilities";
        return files.names(folder).stream()
                .filter(name ->
                        files.text(folder + "/" + name)
                                .filter(text -> text.startsWith("Mitigation"))
                                .isPresent())
                .toList();
    }

    /**
     * What the kernel was built with, of {@link #BUILT}: the running kernel reports it, or its
     * installation left a file; empty where neither can be read.
     */
    private static Optional<Map<String, String>> config(
            final HostFiles files, final String release) {
        try (InputStream packed = Files.newInputStream(files.at("/proc/config.gz"));
                Reader text = reader(new GZIPInputStream(packed))) {
            return Optional.of(config(text));
        } catch (final IOException e) {
            return configInBoot(files, release);
        }
    }

    private static Optional<Map<String, String>> configInBoot(
            final HostFiles files, final String release) {
        if (release.isEmpty() || release.contains("/")) {
            return Optional.empty();
        }
        try (Reader text = reader(Files.newInputStream(files.at("/boot/config-" + release)))) {
            return Optional.of(config(text));
        } catch (final IOException e) {
            return Optional.empty();
        }
    }

    private static Reader reader(final InputStream in) {
        return new InputStreamReader(in, StandardCharsets.UTF_8);
    }

    private static Map<String, String> config(final Reader text) throws IOException {
        try {
            final Map<String, String> found = new HashMap<>();
            new BufferedReader(text)
                    .lines()
                    .map(line -> line.split("=", 2))
                    .filter(each -> each.length == 2 && BUILT.contains(each[0]))
                    .forEach(each -> found.put(each[0], each[1]));
            return found;
        } catch (final UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Optional<Boolean> isBuilt(
            final Optional<Map<String, String>> config, final String option) {
        return config.map(built -> "y".equals(built.get(option)));
    }

    /**
     * Where the boot options of this system are written; empty where none of the known files
     * exists.
     */
    private static Optional<String> bootOptionsIn(final HostFiles files) {
        return Stream.of("/usr/sbin/grubby", "/sbin/grubby", "/etc/default/grub")
                .filter(path -> Files.exists(files.at(path)))
                .findFirst();
    }
}
