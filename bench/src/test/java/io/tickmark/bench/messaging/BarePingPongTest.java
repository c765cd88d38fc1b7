package io.tickmark.bench.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FreePort;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BarePingPongTest {
    @TempDir Path folder;

    @Test
    void shouldAnswerEachMessageThroughSharedMemory() throws Exception {
        assertThat(pinged("file=" + folder.resolve("places")))
                .startsWith("tool=bare_ping_pong size=64 lost=0 count=500 ");
    }

    @Test
    void shouldAnswerEachMessageOverUdp() throws Exception {
        assertThat(pinged("port=" + FreePort.udp(InetAddress.getLoopbackAddress())))
                .startsWith("tool=bare_ping_pong size=64 lost=0 count=500 ");
    }

    /** What the side that pings prints; the other side has to end by itself. */
    private static String pinged(final String way) throws Exception {
        final Process pong = start("pong", way);
        final Process ping = start("ping", way);
        try {
            final String output =
                    new String(ping.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(ping.waitFor()).isZero();
            assertThat(pong.waitFor()).isZero();
            return output;
        } finally {
            ping.destroyForcibly();
            pong.destroyForcibly();
        }
    }

    private static Process start(final String side, final String way) throws Exception {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(BarePingPong.class.getName());
        command.addAll(List.of(side, way, "payloadBytes=64", "warmUpSeconds=0", "count=500"));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
