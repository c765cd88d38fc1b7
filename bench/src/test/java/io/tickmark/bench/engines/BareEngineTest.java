package io.tickmark.bench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BareEngineTest {
    private static final String QUEUES = "glob:**/bare-chronicle-*";

    @TempDir Path folder;

    /** Some gigabytes stayed in the folder for temporary files. */
    @Test
    void shouldLeaveNoQueuesWhenItIsAskedToEnd() throws Exception {
        final Process sender =
                new ProcessBuilder(sender()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader output = sender.inputReader()) {
            assertThat(output.lines().anyMatch(line -> line.startsWith(BareEngine.SERVER)))
                    .isTrue();
            assertThat(folder).isDirectoryContaining(QUEUES);

            sender.destroy();

            sender.waitFor();
            assertThat(folder).isDirectoryNotContaining(QUEUES);
        } finally {
            sender.destroyForcibly();
        }
    }

    private List<String> sender() {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(
                List.of(
                        "-Djava.io.tmpdir=" + folder,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BareEngine.class.getName()));
        command.addAll(List.of("send", "chronicle", "100", "1", "0", "0", "-1"));
        return command;
    }
}
