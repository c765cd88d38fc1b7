package io.tickmark.kernel.host;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Processors: facts that determine whether their speed and their clock are steady. */
final class CpuFacts {
    private static final String CPUS = "/sys/devices/system/cpu";
    private static final String NODES = "/sys/devices/system/node";

    private CpuFacts() {}

    static Facts cpu(final HostFiles files) {
        final Map<String, String> info = files.keyed("/proc/cpuinfo", ":").orElse(Map.of());
        final Facts facts =
                new Facts()
                        .put("model", Optional.ofNullable(info.get("model name")))
                        .put("onlineCores", files.text(CPUS + "/online"))
                        .put("allowedCores", CoreList.format(Affinity.allowedCores(files)))
                        .put("currentMhz", mhz(info))
                        .put("governor", governors(files))
                        .put("frequencyDriver", files.text(CPUS + "/cpu0/cpufreq/scaling_driver"))
                        .put("turbo", turbo(files))
                        .put("simultaneousThreads", files.text(CPUS + "/smt/control"))
                        .put("idleDriver", files.text(CPUS + "/cpuidle/current_driver"))
                        .put("idleGovernor", files.text(CPUS + "/cpuidle/current_governor"))
                        .put("idleStates", idleStates(files));
        if (info.containsKey("flags")) {
            final Set<String> flags = Set.copyOf(Arrays.asList(info.get("flags").split("\\s+")));
            facts.put("constantTsc", flags.contains("constant_tsc"))
                    .put("nonstopTsc", flags.contains("nonstop_tsc"));
        }
        return facts;
    }

    static Facts numa(final HostFiles files) {
        final Facts facts = new Facts().put("nodes", files.text(NODES + "/online"));
        for (final String name : files.names(NODES)) {
            if (name.matches("node\\d+")) {
                facts.put(name + "Cores", files.text(NODES + "/" + name + "/cpulist"));
                files.text(NODES + "/" + name + "/meminfo")
                        .flatMap(CpuFacts::nodeBytes)
                        .ifPresent(bytes -> facts.put(name + "Bytes", bytes));
            }
        }
        return facts;
    }

    private static Optional<Long> nodeBytes(final String meminfo) {
        return meminfo.lines()
                .filter(line -> line.contains("MemTotal:"))
                .findFirst()
                .flatMap(line -> HostFiles.leadingNumber(line.substring(line.indexOf(':') + 1)))
                .map(kib -> kib * 1024);
    }

    private static Optional<Double> mhz(final Map<String, String> info) {
        try {
            return Optional.ofNullable(info.get("cpu MHz")).map(Double::parseDouble);
        } catch (final NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Of all cores: {@code performance}, or {@code performance, powersave} where they differ. */
    private static String governors(final HostFiles files) {
        return files.names(CPUS).stream()
                .filter(name -> name.matches("cpu\\d+"))
                .map(name -> files.text(CPUS + "/" + name + "/cpufreq/scaling_governor"))
                .flatMap(Optional::stream)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static Optional<Boolean> turbo(final HostFiles files) {
        return files.number(CPUS + "/intel_pstate/no_turbo")
                .map(off -> off == 0)
                .or(() -> files.number(CPUS + "/cpufreq/boost").map(on -> on != 0));
    }

    /** Those in use, with the time it takes to wake from them: {@code C6 133 us}. */
    private static List<String> idleStates(final HostFiles files) {
        final String folder = CPUS + "/cpu0/cpuidle";
        return files.names(folder).stream()
                .filter(name -> files.number(folder + "/" + name + "/disable").orElse(0L) == 0)
                .map(name -> idleState(files, folder + "/" + name))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<String> idleState(final HostFiles files, final String folder) {
        final Optional<Long> wakeUs = files.number(folder + "/latency");
        return files.text(folder + "/name")
                .map(name -> name + wakeUs.map(us -> " " + us + " us").orElse(""));
    }
}
