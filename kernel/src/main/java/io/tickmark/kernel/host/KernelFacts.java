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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/** The kernel and how it was started and tuned. */
final class KernelFacts {
    private static final String CPUS = "/sys/devices/system/cpu";
    private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0";

    /**
     * Options of the command line that bear on latency. The others (devices, addresses, keys) say
     * who a machine belongs to and are left out.
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
        return new Facts()
                .put("release", release)
                .put("version", files.text("/proc/sys/kernel/version"))
                .put("realTime", files.number("/sys/kernel/realtime").map(flag -> flag != 0))
                .put("tuningOptions", tuningOptions(files))
                .put("isolatedCores", files.text(CPUS + "/isolated"))
                .put("nohzFullCores", nohzFull(files))
                .put("clockSource", files.text(CLOCK + "/current_clocksource"))
                .put("clockSources", files.text(CLOCK + "/available_clocksource"))
                .put("timerHz", timerHz(files, release.orElse("")))
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

    private static Optional<Long> timerHz(final HostFiles files, final String release) {
        try (InputStream packed = Files.newInputStream(files.at("/proc/config.gz"));
                Reader text = reader(new GZIPInputStream(packed))) {
            return timerHz(text);
        } catch (final IOException e) {
            return timerHzInBoot(files, release);
        }
    }

    private static Optional<Long> timerHzInBoot(final HostFiles files, final String release) {
        if (release.isEmpty() || release.contains("/")) {
            return Optional.empty();
        }
        try (Reader text = reader(Files.newInputStream(files.at("/boot/config-" + release)))) {
            return timerHz(text);
        } catch (final IOException e) {
            return Optional.empty();
        }
    }

    private static Reader reader(final InputStream in) {
        return new InputStreamReader(in, StandardCharsets.UTF_8);
    }

    private static Optional<Long> timerHz(final Reader text) throws IOException {
        try {
            return new BufferedReader(text)
                    .lines()
                    .filter(line -> line.startsWith("CONFIG_HZ="))
                    .findFirst()
                    .flatMap(line -> HostFiles.leadingNumber(line.substring(10)));
        } catch (final UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
