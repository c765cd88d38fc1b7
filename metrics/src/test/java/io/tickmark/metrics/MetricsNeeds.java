package io.tickmark.metrics;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** What these tests need from the system; without it they are skipped, with the reason. */
final class MetricsNeeds {
    private MetricsNeeds() {}

    static Path promtool() {
        final Path program = Path.of("/usr/bin/promtool");
        assumeTrue(
                Files.isExecutable(program),
                "promtool is not installed (Debian: the package prometheus)");
        return program;
    }
}
