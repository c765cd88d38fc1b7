package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.trial.RawClient;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway that runs out of file handles waits for some, serves clients that connect then, and
 * reports it.
 */
@Timeout(180)
class FewHandlesTest {
    private static final int HANDLES = 256;
    private static final int MOST_TRIES = 4;
    @TempDir private Path folder;

    @Test
    void shouldGoOnAcceptingWhenThereAreHandlesAgain() throws Exception {
        final List<String> command =
                new ArrayList<>(
                        List.of(
                                "sh",
                                "-c",
                                "ulimit -n " + HANDLES + "; exec \"$@\"",
                                "sh",
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.matches("--(add|enable|sun)-.*")) // what our libraries need
                .forEach(command::add);
        command.addAll(List.of("-cp", classPathOfJars(), FewHandlesGateway.class.getName()));
        final Process gateway =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final List<Socket> idle = new ArrayList<>();
        try (BufferedReader said = gateway.inputReader()) {
            final int port = Integer.parseInt(said.readLine());
            for (int i = 0; i < HANDLES; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            assertThat(said.readLine()).isEqualTo("short");
            for (final Socket socket : idle) {
                socket.close();
            }
            try (RawClient honest = loggedOn(port)) {
                honest.settle();
                honest.say("5", "");
                assertThat(honest.hear()).startsWith("5|");
            }
            gateway.outputWriter().write("\n");
            gateway.outputWriter().flush();
            assertThat(said.lines().toList())
                    .anyMatch(line -> line.contains("could not be accepted, such as for lack"));
        } finally {
            gateway.destroyForcibly();
        }
    }

    /**
     * As a release has it: a class in a folder needs a file handle when it is first used, and what
     * the gateway first uses when there are none would end it.
     */
    private String classPathOfJars() throws IOException {
        final List<String> jars = new ArrayList<>();
        for (final String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!Files.isDirectory(Path.of(part))) {
                jars.add(part);
                continue;
            }
            final String jar = folder.resolve(jars.size() + ".jar").toString();
            final int exitCode =
                    ToolProvider.findFirst("jar")
                            .orElseThrow()
                            .run(
                                    System.out,
                                    System.err,
                                    "--create",
                                    "--file",
                                    jar,
                                    "-C",
                                    part,
                                    ".");
            assertThat(exitCode).as(part).isZero();
            jars.add(jar);
        }
        return String.join(File.pathSeparator, jars);
    }

    /**
     * The queue of the listening socket was full as well: the kernel may have dropped the last
     * connections, so a client without an answer connects again. One that is never accepted gets no
     * answer.
     */
    private static RawClient loggedOn(final int port) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return new RawClient(port, "CONSUMER" + tries);
            } catch (final SocketTimeoutException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }
}
