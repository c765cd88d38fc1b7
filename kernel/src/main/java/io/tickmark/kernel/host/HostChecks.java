package io.tickmark.kernel.host;

import io.tickmark.kernel.host.HostCheck.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Judges an environment record: what on this machine hurts figures. Pure: works as well on a record
 * read back from a file; what the record lacks is not judged.
 */
public final class HostChecks {
    private static final int FEW_CORES = 4;
    private static final long SMALL_BUFFER_BYTES = 2L << 20;
    private static final long LITTLE_FREE_BYTES = 1L << 30;

    /** Clocks that are read without a system call. */
    private static final Set<String> FAST_CLOCKS =
            Set.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter");

    private final Map<String, Map<String, Object>> environment;
    private final List<HostCheck> found = new ArrayList<>();

    private HostChecks(final Map<String, Map<String, Object>> environment) {
        this.environment = environment;
    }

    /**
     * Judges a record.
     *
     * @param environment as {@link Environment#describe} makes it
     * @return what was found, the worst first
     */
    public static List<HostCheck> of(final Map<String, Map<String, Object>> environment) {
        final HostChecks checks = new HostChecks(environment);
        checks.checkMachine();
        checks.checkCores();
        checks.checkClock();
        checks.checkMemory();
        checks.checkRoom();
        checks.found.sort(Comparator.comparing(HostCheck::severity));
        return List.copyOf(checks.found);
    }

    private void checkMachine() {
        if (isTrue("virtualisation", "virtualMachine")) {
            final String hypervisor = text("virtualisation", "hypervisor");
            warn(
                    "This is a virtual machine%s: its hypervisor can take a core away for"
                            + " milliseconds, and the tail shows it.",
                    hypervisor.isEmpty() ? "" : " (" + hypervisor + ")");
        }
        final double quota = number("limits", "cpuQuotaCores", 0);
        if (quota > 0) {
            warn(
                    "A control group allows %.1f cores: whoever uses more stands still for the rest"
                            + " of each period; measure without a CPU limit.",
                    quota);
        }
        final double load = number("load", "average1m", 0);
        if (load > cores() / 2.0 && cores() > 0) {
            warn(
                    "The load average is %.1f on %d cores: something else is running; stop it.",
                    load, cores());
        }
    }

    private void checkCores() {
        if (cores() > 0 && cores() < FEW_CORES) {
            warn(
                    "Only %d %s: hot threads share them with the system and with each other.",
                    cores(), cores() == 1 ? "core" : "cores");
        }
        if (environment.containsKey("kernel") && text("kernel", "isolatedCores").isEmpty()) {
            note(
                    "No core is isolated from the scheduler: add 'isolcpus' and 'nohz_full' to the"
                            + " kernel's command line for a quieter tail.");
        }
        final String governor = text("cpu", "governor");
        if (!governor.isEmpty() && !governor.equals("performance")) {
            warn(
                    "The CPU governor is '%s', so the clock rate changes while it measures: set it"
                            + " with 'cpupower frequency-set -g performance'.",
                    governor);
        }
        if (isTrue("cpu", "turbo")) {
            note("Turbo is on: the clock rate depends on load and temperature.");
        }
        if (number("cpu", "threadsPerCore", 1) > 1) {
            note(
                    "Cores run several hardware threads: two hot threads may share one physical"
                            + " core unless they are pinned apart.");
        }
    }

    private void checkClock() {
        final String clock = text("kernel", "clockSource");
        if (!clock.isEmpty() && !FAST_CLOCKS.contains(clock)) {
            warn(
                    "The clock source is '%s', and each reading of the clock is a system call:"
                            + " use 'tsc' where the machine allows it.",
                    clock);
        }
        if (isFalse("cpu", "constantTsc") || isFalse("cpu", "nonstopTsc")) {
            warn("The processor's time stamp counter does not tick evenly: times may drift.");
        }
    }

    private void checkMemory() {
        if (text("memory", "transparentHugePages").equals("always")) {
            warn(
                    "Transparent huge pages are 'always' on: the kernel may stop a thread to"
                            + " compact memory; set them to 'madvise'.");
        }
        final double swapUsedBytes = number("memory", "swapUsedBytes", 0);
        if (swapUsedBytes > 0) {
            warn(
                    "Swap is in use (%.0f MiB): a page that must be read back takes milliseconds;"
                            + " free memory or switch it off with 'swapoff -a'.",
                    Math.ceil(swapUsedBytes / (1 << 20)));
        }
    }

    private void checkRoom() {
        final double bufferBytes = number("sockets", "receiveBufferMaxBytes", SMALL_BUFFER_BYTES);
        if (bufferBytes < SMALL_BUFFER_BYTES) {
            warn(
                    "Sockets may buffer only %.0f KiB: bursts over UDP are lost early; raise it"
                            + " with 'sysctl -w net.core.rmem_max=%d'.",
                    bufferBytes / 1024, SMALL_BUFFER_BYTES);
        }
        if (environment.getOrDefault("disks", Map.of()).get("resultsFolder")
                        instanceof final Map<?, ?> store
                && store.get("freeBytes") instanceof final Number freeBytes
                && freeBytes.longValue() < LITTLE_FREE_BYTES) {
            warn(
                    "Only %d MiB are free where the results go: make room, or choose another place"
                            + " with '--out'.",
                    freeBytes.longValue() >> 20);
        }
        if (!text("sockets", "kernelBypass").isEmpty()) {
            note("Sockets go round the kernel: %s.", text("sockets", "kernelBypass"));
        }
    }

    /** Those the process may use, which may be fewer than the machine has. */
    private int cores() {
        return CoreList.parse(text("cpu", "allowedCores"))
                .map(List::size)
                .filter(size -> size > 0)
                .orElseGet(() -> (int) number("cpu", "logicalCores", 0));
    }

    private void warn(final String sentence, final Object... values) {
        add(Severity.WARNING, sentence, values);
    }

    private void note(final String sentence, final Object... values) {
        add(Severity.NOTE, sentence, values);
    }

    private void add(final Severity severity, final String sentence, final Object... values) {
        found.add(new HostCheck(severity, String.format(Locale.ROOT, sentence, values)));
    }

    private Object value(final String group, final String name) {
        return environment.getOrDefault(group, Map.of()).getOrDefault(name, "");
    }

    /** A list is written with commas. */
    private String text(final String group, final String name) {
        return switch (value(group, name)) {
            case final List<?> list ->
                    String.join(", ", list.stream().map(String::valueOf).toList());
            case final Object other -> other.toString();
        };
    }

    private double number(final String group, final String name, final double otherwise) {
        return value(group, name) instanceof final Number number ? number.doubleValue() : otherwise;
    }

    private boolean isTrue(final String group, final String name) {
        return Boolean.TRUE.equals(value(group, name));
    }

    private boolean isFalse(final String group, final String name) {
        return Boolean.FALSE.equals(value(group, name));
    }
}
