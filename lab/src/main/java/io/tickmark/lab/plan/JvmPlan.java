package io.tickmark.lab.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The JVM of a role's process; recorded in the result.
 *
 * @param heap both initial and largest heap
 * @param collector of garbage
 * @param options further options, after all others
 */
public record JvmPlan(
        @PlanKey(
                        help = "Heap, both initial and maximum; 512m by default.",
                        pattern = PlanPatterns.HEAP)
                String heap,
        @PlanKey(help = "Garbage collector; parallel by default.") Collector collector,
        @PlanKey(help = "Further options of the JVM.") List<String> options) {
    /** The default of a role. */
    public static final JvmPlan DEFAULT = new JvmPlan(null, null, null);

    /** Garbage collectors. */
    public enum Collector {
        /** With a single thread. */
        SERIAL("-XX:+UseSerialGC"),
        /** Stops the world with several threads. */
        PARALLEL("-XX:+UseParallelGC"),
        /** Mostly concurrent, by regions. */
        G1("-XX:+UseG1GC"),
        /** Concurrent. */
        Z("-XX:+UseZGC"),
        /** No collection at all: the process ends when the heap is used up. */
        EPSILON("-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC");

        private final List<String> flags;

        Collector(final String flags) {
            this.flags = List.of(flags.split(" "));
        }
    }

    /** Fills in what was not given and copies the list. */
    public JvmPlan {
        heap = heap == null ? "512m" : heap;
        collector = collector == null ? Collector.PARALLEL : collector;
        options = options == null ? List.of() : List.copyOf(options);
    }

    /**
     * The flags of this JVM, and before its own options those of the environment variable {@code
     * TICKMARK_ROLE_JAVA_OPTS}, separated by spaces.
     *
     * @return for the command line of the JVM
     */
    public List<String> flags() {
        return flags(System.getenv().getOrDefault("TICKMARK_ROLE_JAVA_OPTS", ""));
    }

    List<String> flags(final String ofAllRoles) {
        final List<String> all = new ArrayList<>();
        all.add("-Xms" + heap);
        all.add("-Xmx" + heap);
        all.addAll(collector.flags);
        Stream.of(ofAllRoles.split(" ")).filter(flag -> !flag.isEmpty()).forEach(all::add);
        all.addAll(options);
        return List.copyOf(all);
    }
}
