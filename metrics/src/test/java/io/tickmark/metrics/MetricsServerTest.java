package io.tickmark.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom metrics are served to. */
@Timeout(120)
class MetricsServerTest {
    private static final String TOKEN = "of-a-test_0123456789";

    private final RunMetrics metrics = new RunMetrics("my plan", "1.2");

    /** The line with the status. */
    private static String get(final MetricsServer server, final String host, final String header)
            throws IOException {
        final int port = URI.create(server.address()).getPort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(
                            "GET /metrics HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n"
                                    .formatted(host, header.isEmpty() ? "" : header + "\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9400, '', 200",
        "localhost:9400, '', 200",
        "[::1]:9400, '', 200",
        "localhost, Sec-Fetch-Site: none, 200",
        "rebound.example.org:9400, '', 421",
        "'', '', 421",
        "127.0.0.1:9400, Sec-Fetch-Site: cross-site, 403",
        "127.0.0.1:9400, Sec-Fetch-Site: same-site, 403"
    })
    void shouldServeThisMachineAndNoPageOfAnotherSite(
            final String host, final String header, final int status) throws IOException {
        try (MetricsServer server = new MetricsServer("0", "", metrics)) {
            assertThat(get(server, host, header)).contains(" " + status + " ");
            assertThat(server.token()).isEmpty();
        }
    }

    @Test
    void shouldServeBeyondLoopbackOnlyWhoKnowsTheToken() throws IOException {
        final String host = "bench.example.org";
        try (MetricsServer server = new MetricsServer("0.0.0.0:0", TOKEN, metrics)) {
            assertThat(get(server, host, "")).contains(" 401 ");
            assertThat(get(server, host, "Authorization: Bearer " + TOKEN + "x")).contains(" 401 ");
            assertThat(get(server, host, "Authorization: Bearer " + TOKEN)).contains(" 200 ");
        }
        try (MetricsServer server = new MetricsServer("0.0.0.0:0", "", metrics)) {
            assertThat(server.token()).hasSizeGreaterThan(16);
            assertThat(get(server, host, "")).contains(" 401 ");
            assertThat(get(server, host, "Authorization: Bearer " + server.token()))
                    .contains(" 200 ");
        }
        assertThatThrownBy(() -> new MetricsServer("0.0.0.0:0", "short", metrics).close())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("TICKMARK_METRICS_TOKEN: takes 16 to 128 characters");
    }

    /** In a JVM of its own: the limits hold for all servers of one, and are read once. */
    @Test
    void shouldTakeNoMoreConnectionsThanItsLimit() throws Exception {
        final Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                ServerMain.class.getName())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        final List<Socket> connections = new ArrayList<>();
        try {
            final URI address = URI.create(process.inputReader().readLine());
            for (int i = 0; i < MetricsServer.MOST_CONNECTIONS; i++) {
                connections.add(new Socket(InetAddress.getLoopbackAddress(), address.getPort()));
            }
            final Socket tooMany = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
            connections.add(tooMany);

            assertThat(tooMany.getInputStream().read()).as("closed by the server").isNegative();
        } finally {
            CloseHelper.closeAll(connections);
            process.destroyForcibly();
        }
    }

    /** Serves until it is ended. */
    static final class ServerMain {
        private ServerMain() {}

        public static void main(final String[] args) throws InterruptedException {
            try (MetricsServer server =
                    new MetricsServer("0", "", new RunMetrics("my plan", "1.2"))) {
                System.out.println(server.address());
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }
}
