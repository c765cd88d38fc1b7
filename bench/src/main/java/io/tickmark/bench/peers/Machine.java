package io.tickmark.bench.peers;

import io.tickmark.kernel.host.Environment;
import java.nio.file.Path;
import java.util.Map;

/** The machine of a run, in one sentence and in full. */
final class Machine {
    private final Map<String, Map<String, Object>> environment;

    Machine(final Path resultsFolder) {
        environment = Environment.describe(resultsFolder, Map.of());
    }

    Map<String, Map<String, Object>> environment() {
        return environment;
    }

    /** Processor, cores, kernel and JVM. */
    String sentence() {
        return "%s, %d cores, Linux %s, Java %s"
                .formatted(
                        environment
                                .getOrDefault("cpu", Map.of())
                                .getOrDefault("model", "unknown processor"),
                        Runtime.getRuntime().availableProcessors(),
                        // without the name that its builder gave it
                        System.getProperty("os.version").replaceFirst("-.*", ""),
                        Runtime.version());
    }
}
