package io.tickmark.workloads.feed.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FewHandles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server takes no more clients than its file handles suffice for, files of its own included; the
 * others wait.
 */
@Timeout(120)
class FewHandlesServerTest {
    private static final int HANDLES = 300;

    /** What a few reports and files need, whichever are open at the moment. */
    private static final long ENOUGH = 30;

    /** Times the server is asked, each after it had time to accept more. */
    private static final int LOOKS = 50;

    @TempDir private Path folder;

    @Test
    void shouldKeepHandlesForItselfAndServeWhoWaited() throws Exception {
        final Process server = FewHandles.start(folder, HANDLES, FewHandlesServer.class);
        final List<Socket> idle = new ArrayList<>();
        try (BufferedReader said = server.inputReader();
                PrintWriter ask = new PrintWriter(server.outputWriter(), true);
                HttpClient client = HttpClient.newHttpClient()) {
            final URI address = URI.create(said.readLine());
            final long before = free(ask, said);
            for (int i = 0; i < HANDLES; i++) {
                idle.add(new Socket(address.getHost(), address.getPort()));
            }
            long least = before;
            for (int i = 0; i < LOOKS || least > before - ENOUGH; i++) {
                least = Math.min(least, free(ask, said));
                Thread.sleep(10);
            }
            assertThat(least).isGreaterThan(ENOUGH);

            final var waiting =
                    client.sendAsync(
                            HttpRequest.newBuilder(address).build(),
                            HttpResponse.BodyHandlers.ofString());
            CloseHelper.closeAll(idle);
            assertThat(waiting.join().statusCode()).isEqualTo(404);
        } finally {
            CloseHelper.closeAll(idle);
            server.destroyForcibly();
        }
    }

    private static long free(final PrintWriter ask, final BufferedReader said) throws IOException {
        ask.println();
        return Long.parseLong(said.readLine());
    }
}
