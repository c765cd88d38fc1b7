package io.tickmark.kernel.host;

import io.tickmark.kernel.host.HostCheck.Severity;
import io.tickmark.kernel.settings.Plural;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges an environment record: what on this machine impairs figures, and what is as it should be.
 * Pure: it also works on a record read back from a file; values missing in the record are not
 * judged.
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

    private final EnvironmentRecord recorded;
    private final List<HostCheck> found = new ArrayList<>();

    private HostChecks(final EnvironmentRecord recorded) {
        this.recorded = recorded;
    }

    /**
     * Judges a record.
     *
     * @param environment as {@link Environment#describe} returns it
     * @return what is not as it should be, the worst first
     */
    public static List<HostCheck> of(final Map<String, Map<String, Object>> environment) {
        return all(environment).stream()
                .filter(check -> check.severity() != Severity.OK)
                .sorted(Comparator.comparing(HostCheck::severity))
                .toList();
    }

    /**
     * Judges a record, including what is good.
     *
     * @param environment as {@link Environment#describe} returns it
     * @return by subject: machine, cores, clock, memory, network, storage
     */
    public static List<HostCheck> all(final Map<String, Map<String, Object>> environment) {
        final HostChecks checks = new HostChecks(new EnvironmentRecord(environment));
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
                        ok("virtualisation", "This is not a virtual machine", TAIL);
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
                                        "a process that uses more is halted for the rest of each period",
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
                            "Only " + Plural.of(cores, "core"),
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
                                    + "' to the kernel's command line, and reboot"
                                    + unchecked(),
                            bootOption(isolation("%1$s")),
                            TAIL));
        }
        ticks();
        threads();
    }

    /**
     * The options that keep other threads off cores, without those for which the kernel was not
     * built.
     */
    private String isolation(final String cores) {
        return "isolcpus="
                + cores
                + (isBuilt("nohzFullBuilt") ? " nohz_full=" + cores : "")
                + (isBuilt("rcuNocbBuilt") ? " rcu_nocbs=" + cores : "");
    }

    /** False where the kernel reports that it was built without it. */
    private boolean isBuilt(final String option) {
        return recorded.flag("kernel", option).orElse(true);
    }

    /** What the advice assumes because this machine does not report it. */
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
     * no known file for boot options.
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

    /** It is clear which cores interrupts should avoid only where cores are isolated. */
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
                            "Interrupts are served on cores " + served + ", isolated ones included",
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
                                                    ? "add 'nohz_full=...' for the cores of hot threads to the kernel's "
                                                            + "command line, and reboot"
                                                            + unchecked()
                                                    : "no boot option stops them, because this kernel was built without "
                                                            + "NO_HZ_FULL; that needs another kernel",
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
                            "the clock rate changes during a measurement",
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

    /** Intel's drivers have their own switch, all others the kernel's common one. */
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
                            text("Idle cores sleep so deeply that waking takes %d us", slowestUs),
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
                            "The processor's time stamp counter does not tick at a constant rate",
                            "times may drift",
                            "",
                            "",
                            "every measurement"));
        }
    }

    /** On one host there is one clock, and nothing depends on its synchronisation. */
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
                                    : "No daemon that keeps this machine's clock synchronised was found (chrony, PTP)",
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

    /** How deep idle cores may sleep, as the environment record lists it: {@code C6 133 us}. */
    private static final class SleepStates {
        /** Waking takes longer than a message on loopback. */
        static final long SLOW_US = 20;

        private static final Pattern WAKE = Pattern.compile("(\\d{1,9}) us");

        private SleepStates() {}

        static long slowestWakeUs(final String states) {
            final Matcher wake = WAKE.matcher(states);
            long slowest = 0;
            while (wake.find()) {
                slowest = Math.max(slowest, Long.parseLong(wake.group(1)));
            }
            return slowest;
        }
    }

    /** Effects of sockets, network cards and disks on figures. */
    private static final class InputOutputChecks {
        private static final long SMALL_BUFFER_BYTES = 2L << 20;
        private static final long SLOW_COALESCING_US = 5;

        private final EnvironmentRecord recorded;
        private final List<HostCheck> found = new ArrayList<>();

        InputOutputChecks(final EnvironmentRecord recorded) {
            this.recorded = recorded;
        }

        List<HostCheck> all() {
            buffers();
            coalescing();
            bypass();
            found.addAll(new StorageChecks(recorded).all());
            return found;
        }

        private void buffers() {
            recorded.number("sockets", "receiveBufferMaxBytes")
                    .ifPresent(bytes -> {
                        if (bytes < SMALL_BUFFER_BYTES) {
                            found.add(
                                    new HostCheck(
                                            Severity.WARNING,
                                            "socket buffers",
                                            text("Sockets may buffer only %.0f KiB", bytes / 1024),
                                            "bursts over UDP are lost early",
                                            "raise it",
                                            "sysctl -w net.core.rmem_max=" + SMALL_BUFFER_BYTES,
                                            "streams over UDP"));
                        } else {
                            ok(
                                    "socket buffers",
                                    text("Sockets may buffer %.0f KiB", bytes / 1024),
                                    "streams over UDP");
                        }
                    });
        }

        /** A card that waits for more packets adds that wait to each latency at low rates. */
        private void coalescing() {
            recorded.environment()
                    .getOrDefault("network", Map.of())
                    .forEach((name, facts) -> {
                        if (facts instanceof final Map<?, ?> card
                                && card.get("receiveCoalesceUs") instanceof final Number us) {
                            if (us.longValue() > SLOW_COALESCING_US) {
                                found.add(
                                        new HostCheck(
                                                Severity.NOTE,
                                                "interrupt coalescing of " + name,
                                                text(
                                                        "%s waits up to %d us for more packets",
                                                        name, us.longValue()),
                                                "each wait is part of a latency at low rates",
                                                "do not wait",
                                                "ethtool -C " + name + " rx-usecs 0",
                                                "latency over a network"));
                            } else {
                                ok(
                                        "interrupt coalescing of " + name,
                                        text(
                                                "%s waits %d us for more packets",
                                                name, us.longValue()),
                                        "latency over a network");
                            }
                        }
                    });
        }

        private void bypass() {
            final String libraries = recorded.text("sockets", "kernelBypass");
            if (!libraries.isEmpty()) {
                found.add(
                        new HostCheck(
                                Severity.NOTE,
                                "kernel bypass",
                                "Sockets bypass the kernel (" + libraries + ")",
                                "figures are not those of the kernel's network stack",
                                "",
                                "",
                                "comparisons"));
            }
        }

        private void ok(final String subject, final String is, final String helps) {
            found.add(new HostCheck(Severity.OK, subject, is, "", "", "", helps));
        }

        private static String text(final String format, final Object... values) {
            return String.format(Locale.ROOT, format, values);
        }
    }

    /** Effects of disks and file systems on stores. */
    private static final class StorageChecks {
        private static final String DISKS = "disks";
        private static final String HELPS = "stores";

        /** Lists what is present. */
        private static final String LOCAL_DISKS = "findmnt -t ext4,xfs";

        private static final long LITTLE_FREE_BYTES = 1L << 30;

        /** The rate that a store which syncs each message needs even under a modest load. */
        private static final double MODEST_SYNCS_PER_SECOND = 10_000;

        private static final Set<String> NETWORK_MOUNTS =
                Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "ceph", "glusterfs");
        private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
        private static final Set<String> LAYERED = Set.of("overlay", "aufs", "fuse.fuse-overlayfs");
        private static final Set<String> COPYING = Set.of("btrfs", "zfs", "bcachefs");

        private final EnvironmentRecord recorded;
        private final List<HostCheck> found = new ArrayList<>();

        StorageChecks(final EnvironmentRecord recorded) {
            this.recorded = recorded;
        }

        List<HostCheck> all() {
            recorded.environment().getOrDefault(DISKS, Map.of()).forEach(this::disk);
            fileSystem(
                    DiskFacts.RESULTS,
                    "file system",
                    "Results and stores go to ",
                    "--store-directory");
            fileSystem(
                    DiskFacts.TEMPORARY,
                    "temporary files",
                    "Stores without '--store-directory' go to ",
                    "--store-directory");
            room();
            syncs();
            return found;
        }

        /** A virtual disk reports what its hypervisor makes it report. */
        private void disk(final String name, final Object facts) {
            if (!(facts instanceof final Map<?, ?> disk)
                    || !(disk.get("rotational") instanceof final Boolean spins)
                    || name.startsWith("loop")
                    || name.contains("ram")) {
                return;
            }
            final Object model = disk.get("model");
            final Object cache = disk.get("writeCache");
            final String called =
                    name
                            + (model == null ? "" : " (" + model.toString().strip() + ")")
                            + (cache == null ? "" : ", write cache: " + cache + ",");
            if (recorded.flag("virtualisation", "virtualMachine").orElse(false)) {
                ok(
                        "disk " + name,
                        called + " is a virtual disk, and what lies behind it is not known");
            } else if (spins) {
                found.add(
                        new HostCheck(
                                Severity.NOTE,
                                "disk " + name,
                                called + " is a spinning disk",
                                "a synced write waits for the platter, milliseconds each",
                                "put stores on a solid-state disk made for writing",
                                "lsblk -d -o NAME,MODEL,ROTA",
                                HELPS));
            } else {
                ok("disk " + name, called + " is a solid-state disk");
            }
        }

        private void fileSystem(
                final String folder,
                final String subject,
                final String begin,
                final String option) {
            final String type = recorded.within(DISKS, folder, "fileSystem").orElse("").toString();
            final String better = "name a folder on a local disk with '" + option + "'";
            if (NETWORK_MOUNTS.contains(type)) {
                found.add(
                        new HostCheck(
                                Severity.WARNING,
                                subject,
                                begin + "a network mount (" + type + ")",
                                "each write waits for another machine",
                                better,
                                LOCAL_DISKS,
                                HELPS));
            } else if (MEMORY.contains(type)) {
                final String effect =
                        "what is synced there costs nothing and is lost with the machine";
                note(subject, begin + "memory (" + type + ")", effect, better);
            } else if (LAYERED.contains(type)) {
                final String is = begin + "the layers of a container (" + type + ")";
                note(subject, is, "each write goes through two file systems", better);
            } else if (COPYING.contains(type)) {
                final String effect =
                        "what is overwritten is written to a new place, and syncs take longer";
                note(subject, begin + type, effect, better + ", ext4 or xfs");
            } else if (!type.isEmpty()) {
                ok(subject, begin + type);
            }
        }

        private void note(
                final String subject, final String is, final String effect, final String better) {
            found.add(
                    new HostCheck(Severity.NOTE, subject, is, effect, better, LOCAL_DISKS, HELPS));
        }

        private void room() {
            recorded.within(DISKS, DiskFacts.RESULTS, "freeBytes")
                    .filter(Number.class::isInstance)
                    .map(bytes -> ((Number) bytes).longValue())
                    .ifPresent(bytes -> {
                        if (bytes < LITTLE_FREE_BYTES) {
                            found.add(
                                    new HostCheck(
                                            Severity.WARNING,
                                            "room",
                                            text(
                                                    "Only %d MiB are free where the results go",
                                                    bytes >> 20),
                                            "a run that fills the disk keeps no files",
                                            "make room, or choose another place with '--out'",
                                            "df -h",
                                            HELPS));
                        } else {
                            ok("room", text("%d MiB are free where the results go", bytes >> 20));
                        }
                    });
        }

        /** Measured by {@link SyncedWrites}, where it was requested. */
        private void syncs() {
            recorded.number(DISKS, "syncedWritesPerSecond")
                    .ifPresent(rate -> {
                        final String is = text("The disk takes %.0f synced writes a second", rate);
                        if (rate < MODEST_SYNCS_PER_SECOND) {
                            found.add(
                                    new HostCheck(
                                            Severity.NOTE,
                                            "synced writes",
                                            is,
                                            text(
                                                    "a store that syncs each message goes no faster; at 100,000 messages a second"
                                                            + " each sync has to cover %.0f",
                                                    Math.ceil(100_000 / Math.max(1, rate))),
                                            "use a disk with a write cache that survives a power cut, or a store that syncs"
                                                    + " groups of messages",
                                            "",
                                            "stores that sync (D2, D4)"));
                        } else {
                            ok("synced writes", is);
                        }
                    });
        }

        private void ok(final String subject, final String is) {
            found.add(new HostCheck(Severity.OK, subject, is, "", "", "", HELPS));
        }

        private static String text(final String format, final Object... values) {
            return String.format(Locale.ROOT, format, values);
        }
    }

    /** Effects of memory on figures: huge pages, swap, nodes. */
    private static final class MemoryChecks {
        private static final String TAIL = "the tail of every latency";

        private final EnvironmentRecord recorded;
        private final List<HostCheck> found = new ArrayList<>();

        MemoryChecks(final EnvironmentRecord recorded) {
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
            final int nodes =
                    CoreList.parse(recorded.text("numa", "nodes")).map(List::size).orElse(0);
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

    /** Reads an environment record: a value that is absent, or of another type, is empty. */
    private record EnvironmentRecord(Map<String, Map<String, Object>> environment) {
        boolean has(final String group) {
            return environment.containsKey(group);
        }

        private Object value(final String group, final String name) {
            return environment.getOrDefault(group, Map.of()).getOrDefault(name, "");
        }

        /** A list is written with commas. */
        String text(final String group, final String name) {
            return switch (value(group, name)) {
                case final List<?> list ->
                        String.join(", ", list.stream().map(String::valueOf).toList());
                case final Object other -> other.toString();
            };
        }

        Optional<Double> number(final String group, final String name) {
            return value(group, name) instanceof final Number number
                    ? Optional.of(number.doubleValue())
                    : Optional.empty();
        }

        Optional<Boolean> flag(final String group, final String name) {
            return value(group, name) instanceof final Boolean flag
                    ? Optional.of(flag)
                    : Optional.empty();
        }

        /** A value of a group within a group. */
        Optional<Object> within(final String group, final String inner, final String name) {
            return environment.getOrDefault(group, Map.of()).get(inner)
                            instanceof final Map<?, ?> map
                    ? Optional.ofNullable(map.get(name))
                    : Optional.empty();
        }

        /**
         * The cores that the process may use, which may be fewer than the machine has; 0 where not
         * known.
         */
        int cores() {
            return CoreList.parse(text("cpu", "allowedCores"))
                    .map(List::size)
                    .filter(size -> size > 0)
                    .orElseGet(() -> number("cpu", "logicalCores").map(Double::intValue).orElse(0));
        }
    }
}
