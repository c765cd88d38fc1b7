package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FewHandles;
import io.tickmark.workloads.fix.trial.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway that runs out of file handles waits for some, serves clients that connect then, and
 * reports it.
 */
@Timeout(180)
class FewHandlesGatewayTest {
    private static final int HANDLES = 256;
    private static final int MOST_TRIES = 4;
    @TempDir private Path folder;

    @Test
    void shouldGoOnAcceptingWhenThereAreHandlesAgain() throws Exception {
        final Process gateway = FewHandles.start(folder, HANDLES, FewHandlesGateway.class);
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
     * The queue of the listening socket was full as well: the kernel may have dropped the last
     * connections, so a client without an answer connects again. One that is never accepted gets no
     * answer.
     */
    private static RawClient loggedOn(final int port) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return RawClient.withLittlePatience(port, "CONSUMER" + tries);
            } catch (final SocketTimeoutException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }
}
