package io.tickmark.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FewHandles;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A listening side that runs out of file handles waits for some, and says why. */
@Timeout(120)
class FewHandlesListenerTest {
    private static final int HANDLES = 256;

    /** A failed look at a listening socket, which stays ready, would be followed by the next. */
    private static final long BETWEEN_TRIES_MS = 100;

    @TempDir private Path folder;

    @Test
    void shouldTryAgainAfterAPauseAndAcceptWhenThereAreHandlesAgain() throws Exception {
        final Process listener = FewHandles.start(folder, HANDLES, FewHandlesListener.class);
        try (BufferedReader said = listener.inputReader();
                Socket client =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                Integer.parseInt(said.readLine()))) {
            final String[] words = said.readLine().split(" ", 3);

            assertThat(Long.parseLong(words[0]))
                    .isBetween(1L, 2 + Long.parseLong(words[1]) / BETWEEN_TRIES_MS);
            assertThat(words[2]).containsIgnoringCase("too many open files");
            assertThat(said.readLine()).isEqualTo("connected");
            assertThat(client.isClosed()).isFalse();
        } finally {
            listener.destroyForcibly();
        }
    }
}
