package io.tickmark.kernel.host;

import io.tickmark.kernel.settings.Secrets;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.List;

/** This JVM: the roles' own may differ, and a plan says how. */
final class JvmFacts {
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
                .put("flags", flags(runtime.getInputArguments(), System.getProperty("user.home")));
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

    /** Without what is nobody's business: secrets, and the home folder with its owner's name. */
    static List<String> flags(final List<String> arguments, final String home) {
        return arguments.stream()
                .filter(flag -> !Secrets.isNamedBy(flag))
                .map(flag -> home == null || home.length() < 2 ? flag : flag.replace(home, "~"))
                .toList();
    }
}
