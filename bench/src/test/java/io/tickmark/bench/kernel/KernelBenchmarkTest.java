package io.tickmark.bench.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Fork;

final class KernelBenchmarkTest {
    @Test
    void shouldForkWithTheFlagsThatDoNotBelongToEngines() throws IOException {
        final Fork fork = KernelBenchmark.class.getAnnotation(Fork.class);

        assertThat(fork.jvmArgsAppend())
                .containsExactlyElementsOf(
                        Files.readAllLines(Path.of("..", "config", "jvm.options")).stream()
                                .filter(line -> !line.startsWith("#"))
                                .toList());
    }
}
