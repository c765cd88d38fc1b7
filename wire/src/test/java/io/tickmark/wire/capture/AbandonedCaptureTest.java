package io.tickmark.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A capture whose process is killed. */
class AbandonedCaptureTest {
    private static final long PATIENCE_SECONDS = 60;

    @TempDir Path folder;

    /** The kernel clears the parent-death signal where a program has its own capabilities. */
    @Test
    void shouldEndTcpdumpAlsoWhereTheKernelDoesNot() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is not installed");
        final Path program =
                Files.writeString(
                        folder.resolve("tcpdump"),
                        "#!/bin/sh\necho 'listening on lo' >&2\n"
                                + "exec setpriv --pdeathsig clear sleep 600\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        final ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                AbandonedCapture.class.getName(),
                                folder.resolve("a.pcap").toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().merge("PATH", folder.toString(), (path, own) -> own + ":" + path);
        final Process capture = builder.start();
        try (BufferedReader said = capture.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("captures");
            final List<ProcessHandle> programs = capture.descendants().toList();
            assertThat(programs).isNotEmpty();
            capture.destroyForcibly();

            for (final ProcessHandle each : programs) {
                try {
                    assertThatCode(() -> each.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                            .doesNotThrowAnyException();
                } finally {
                    each.destroyForcibly();
                }
            }
        } finally {
            capture.destroyForcibly();
        }
    }
}
