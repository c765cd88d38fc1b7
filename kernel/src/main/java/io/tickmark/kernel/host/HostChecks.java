package io.tickmark.kernel.host;

import io.tickmark.kernel.host.HostCheck.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Judges an environment record: what on this machine hurts figures, and what is as it should be.
 * Pure: works as well on a record read back from a file; what the record lacks is not judged.
 */
public final class HostChecks {
    private static final int FEW_CORES = 4;
    private static final String TAIL = "the tail of every latency";
    private static final String LATENCY = "latency";
    private static final String RATES = "rates and latency";

    /** Clocks that are read without a system call. */
    private static final Set<String> FAST_CLOCKS =
            Set.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter");

    private static final Set<String> INTEL_DRIVERS = Set.of("intel_pstate", "intel_cpufreq");

    private final Recorded recorded;
    private final List<HostCheck> found = new ArrayList<>();

    private HostChecks(final Recorded recorded) {
        this.recorded = recorded;
    }

    /**
     * Judges a record.
     *
     * @param environment as {@link Environment#describe} makes it
     * @return what is not as it should be, the worst first
     */
    public static List<HostCheck> of(final Map<String, Map<String, Object>> environment) {
        return all(environment).stream()
                .filter(check -> check.severity() != Severity.OK)
                .sorted(Comparator.comparing(HostCheck::severity))
                .toList();
    }

    /**
     * Judges a record, and tells what is well as well.
     *
     * @param environment as {@link Environment#describe} makes it
     * @return by subject: machine, cores, clock, memory, network, storage
     */
    public static List<HostCheck> all(final Map<String, Map<String, Object>> environment) {
        final HostChecks checks = new HostChecks(new Recorded(environment));
        checks.machine();
        checks.cores();
        checks.speed();
        checks.clock();
        checks.timeSync();
        checks.found.addAll(new MemoryChecks(checks.recorded).all());
        checks.found.addAll(new InputOutputChecks(checks.recorded).all());
        return List.copyOf(checks.found);
    }

    private void machine() {
        recorded.flag("virtualisation", "virtualMachine")
                .ifPresent(virtual -> {
                    final String hypervisor = recorded.text("virtualisation", "hypervisor");
                    if (virtual) {
                        found.add(
                                new HostCheck(
                                        Severity.WARNING,
                                        "virtualisation",
                                        "This is a virtual machine"
                                                + (hypervisor.isEmpty()
                                                        ? ""
                                                        : " (" + hypervisor + ")"),
                                        "its hypervisor can take a core away for milliseconds, and the tail shows it",
                                        "measure on the machine itself where the tail matters",
                                        "",
                                        TAIL));
                    } else {
                        ok("virtualisation", "This is no virtual machine", TAIL);
                    }
                });
        recorded.number("limits", "cpuQuotaCores")
                .filter(quota -> quota > 0)
                .ifPresent(quota ->
                        found.add(
                                new HostCheck(
                                        Severity.WARNING,
                                        "CPU quota",
                                        text("A control group allows %.1f cores", quota),
                                        "whoever uses more stands still for the rest of each period",
                                        "measure without a CPU limit",
                                        "",
                                        RATES)));
        recorded.number("load", "average1m").ifPresent(this::load);
    }

    private void load(final double load) {
        final int cores = recorded.cores();
        if (cores > 0 && load > cores / 2.0) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            "load",
                            text("The load average is %.1f on %d cores", load, cores),
                            "something else is running",
                            "stop it",
                            "ps -eo pid,pcpu,comm --sort=-pcpu | head",
                            RATES));
        } else if (cores > 0) {
            ok("load", text("The load average is %.1f on %d cores", load, cores), RATES);
        }
    }

    private void cores() {
        final int cores = recorded.cores();
        if (cores > 0 && cores < FEW_CORES) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            "cores",
                            text("Only %d %s", cores, cores == 1 ? "core" : "cores"),
                            "hot threads share them with the system and with each other",
                            "measure with a core for each hot thread and one for the rest",
                            "",
                            RATES));
        } else if (cores > 0) {
            ok("cores", text("%d cores may be used", cores), RATES);
        }
        final String isolated = recorded.text("kernel", "isolatedCores");
        if (!isolated.isEmpty()) {
            ok("isolated cores", "Isolated from the scheduler: " + isolated, TAIL);
            interrupts(isolated);
        } else if (recorded.has("kernel")) {
            found.add(
                    new HostCheck(
                            Severity.NOTE,
                            "isolated cores",
                            "No core is isolated from the scheduler",
                            "other threads run on the cores of hot ones",
                            "add '"
                                    + isolation("...")
                                    + "' to the kernel's command line, and start it anew"
                                    + unchecked(),
                            bootOption(isolation("%1$s")),
                            TAIL));
        }
        ticks();
        threads();
    }

    /**
     * Of the options that keep others away from cores, those that the kernel was not built without.
     */
    private String isolation(final String cores) {
        return "isolcpus="
                + cores
                + (isBuilt("nohzFullBuilt") ? " nohz_full=" + cores : "")
                + (isBuilt("rcuNocbBuilt") ? " rcu_nocbs=" + cores : "");
    }

    /** False where the kernel says that it was built without. */
    private boolean isBuilt(final String option) {
        return recorded.flag("kernel", option).orElse(true);
    }

    /** What the advice takes for granted because this machine does not tell. */
    private String unchecked() {
        return (recorded.flag("kernel", "nohzFullBuilt").isPresent()
                        ? ""
                        : " (whether this kernel was built with NO_HZ_FULL and RCU_NOCB_CPU could not be checked:"
                                + " neither /proc/config.gz nor its file in /boot can be read)")
                + (recorded.text("kernel", "bootOptionsIn").isEmpty()
                        ? " (neither grubby nor /etc/default/grub is here: they are given where this machine is"
                                + " started, by its boot loader or its host)"
                        : "");
    }

    /**
     * For all cores but the first, which is left to the system; empty where there is no other, or
     * no known place for boot options.
     */
    private String bootOption(final String option) {
        final String place = recorded.text("kernel", "bootOptionsIn");
        if (place.isEmpty()) {
            return "";
        }
        final List<Integer> allowed =
                CoreList.parse(recorded.text("cpu", "allowedCores")).orElse(List.of());
        if (allowed.size() < 2) {
            return "";
        }
        final String options =
                option.formatted(CoreList.format(allowed.subList(1, allowed.size())));
        return place.endsWith("grubby")
                ? "grubby --update-kernel=ALL --args='" + options + "'"
                : "sed -i 's/^GRUB_CMDLINE_LINUX=\"/&"
                        + options
                        + " /' /etc/default/grub && update-grub";
    }

    /** Only where cores are isolated is it clear which ones interrupts should stay away from. */
    private void interrupts(final String isolated) {
        final String served = recorded.text("interrupts", "cores");
        if (served.isEmpty()) {
            return;
        }
        final List<Integer> hot = CoreList.parse(isolated).orElse(List.of());
        final boolean meet =
                CoreList.parse(served).orElse(List.of()).stream().anyMatch(hot::contains);
        if (meet) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            "interrupt affinity",
                            "Interrupts are served on cores "
                                    + served
                                    + ", isolated ones among them",
                            "each takes microseconds from the hot thread there",
                            "keep them on the other cores, and stop irqbalance",
                            "echo 0 > /proc/irq/N/smp_affinity_list",
                            TAIL));
        } else {
            ok("interrupt affinity", "Interrupts stay away from the isolated cores", TAIL);
        }
    }

    private void ticks() {
        if (!recorded.text("kernel", "nohzFullCores").isEmpty()) {
            ok(
                    "timer ticks",
                    "No timer ticks on cores " + recorded.text("kernel", "nohzFullCores"),
                    TAIL);
        } else {
            recorded.number("kernel", "timerHz")
                    .ifPresent(hz ->
                            found.add(
                                    new HostCheck(
                                            Severity.NOTE,
                                            "timer ticks",
                                            text("Each core has %.0f timer ticks a second", hz),
                                            "each is a gap of microseconds",
                                            isBuilt("nohzFullBuilt")
                                                    ? "add 'nohz_full=...' for the cores of hot threads to the"
                                                            + " kernel's command line, and start it anew"
                                                            + unchecked()
                                                    : "no boot option stops them, because this kernel was built"
                                                            + " without NO_HZ_FULL; it takes another kernel",
                                            isBuilt("nohzFullBuilt")
                                                    ? bootOption("nohz_full=%1$s")
                                                    : "",
                                            TAIL)));
        }
    }

    private void threads() {
        recorded.number("cpu", "threadsPerCore")
                .ifPresent(threads -> {
                    if (threads > 1) {
                        found.add(
                                new HostCheck(
                                        Severity.NOTE,
                                        "hardware threads",
                                        "Cores run several hardware threads",
                                        "two hot threads may share one physical core unless they are pinned apart",
                                        "pin them apart, or switch siblings off",
                                        "echo off > /sys/devices/system/cpu/smt/control",
                                        RATES));
                    } else {
                        ok("hardware threads", "Each core runs one thread", RATES);
                    }
                });
    }

    private void speed() {
        final String governor = recorded.text("cpu", "governor");
        if (governor.equals("performance")) {
            ok("CPU governor", "The CPU governor is 'performance'", LATENCY);
        } else if (!governor.isEmpty()) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            "CPU governor",
                            "The CPU governor is '" + governor + "'",
                            "the clock rate changes while it measures",
                            "set it to 'performance'",
                            "cpupower frequency-set -g performance",
                            LATENCY));
        }
        recorded.flag("cpu", "turbo")
                .ifPresent(turbo -> {
                    if (turbo) {
                        found.add(
                                new HostCheck(
                                        Severity.NOTE,
                                        "turbo",
                                        "Turbo is on",
                                        "the clock rate depends on load and temperature",
                                        "switch it off to compare runs",
                                        turboOff(),
                                        "comparisons"));
                    } else {
                        ok("turbo", "Turbo is off", "comparisons");
                    }
                });
        idleStates();
    }

    /** Intel's own drivers have a switch of theirs, all others the kernel's common one. */
    private String turboOff() {
        return INTEL_DRIVERS.contains(recorded.text("cpu", "frequencyDriver"))
                ? "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"
                : "echo 0 > /sys/devices/system/cpu/cpufreq/boost";
    }

    private void idleStates() {
        final String states = recorded.text("cpu", "idleStates");
        final long slowestUs = SleepStates.slowestWakeUs(states);
        if (slowestUs > SleepStates.SLOW_US) {
            found.add(
                    new HostCheck(
                            Severity.NOTE,
                            "sleep states",
                            text("Idle cores sleep so deep that waking takes %d us", slowestUs),
                            "the first message after a pause pays for it",
                            "allow only shallow ones",
                            "cpupower idle-set -D 10",
                            "latency at low rates"));
        } else if (!states.isEmpty()) {
            ok(
                    "sleep states",
                    text("Idle cores wake within %d us", slowestUs),
                    "latency at low rates");
        }
    }

    private void clock() {
        final String clock = recorded.text("kernel", "clockSource");
        if (FAST_CLOCKS.contains(clock)) {
            ok("clock source", "The clock source is '" + clock + "'", "every measurement");
        } else if (!clock.isEmpty()) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            "clock source",
                            "The clock source is '" + clock + "'",
                            "each reading of the clock is a system call",
                            "use 'tsc' where the machine allows it",
                            "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource",
                            "every measurement"));
        }
        if (recorded.flag("cpu", "constantTsc").filter(even -> !even).isPresent()
                || recorded.flag("cpu", "nonstopTsc").filter(even -> !even).isPresent()) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            "time stamp counter",
                            "The processor's time stamp counter does not tick evenly",
                            "times may drift",
                            "",
                            "",
                            "every measurement"));
        }
    }

    /** On one host there is one clock, and nothing depends on who keeps it. */
    private void timeSync() {
        final String state = TimeSync.state(recorded.environment());
        final String helps = "one-way times between hosts";
        if (state.equals(TimeSync.NONE) || state.endsWith(TimeSync.NOT_IN_STEP)) {
            found.add(
                    new HostCheck(
                            Severity.NOTE,
                            "clock synchronisation",
                            state.endsWith(TimeSync.NOT_IN_STEP)
                                    ? "The clock is kept by " + state
                                    : "No daemon is seen that keeps this machine's clock (chrony, PTP)",
                            "clocks of several hosts drift apart while a trial runs, and the bound between them grows",
                            "run chronyd, or ptp4l and phc2sys where network cards have clocks",
                            "systemctl enable --now chronyd",
                            helps));
        } else if (!state.isEmpty()) {
            ok("clock synchronisation", "The clock is kept by " + state, helps);
        }
    }

    private void ok(final String subject, final String is, final String helps) {
        found.add(new HostCheck(Severity.OK, subject, is, "", "", "", helps));
    }

    private static String text(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
