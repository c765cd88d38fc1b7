package io.tickmark.workloads.market;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.FewHandles;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A provider and a hub that run out of file handles wait for some, and say how often they had to.
 */
@Timeout(240)
class FewHandlesRolesTest {
    private static final int HANDLES = 400;

    /** A failed look at a listening socket, which stays ready, would be followed by the next. */
    private static final long BETWEEN_TRIES_MS = 100;

    private static final Pattern REFUSED =
            Pattern.compile("([0-9]+) connections could not be accepted");

    @TempDir private Path folder;

    @Test
    void shouldTryAgainAfterAPauseAndServeWhenThereAreHandlesAgain() throws Exception {
        final Process roles = FewHandles.start(folder, HANDLES, FewHandlesRoles.class);
        try (BufferedReader said = roles.inputReader()) {
            final String[] addresses = said.readLine().split(" ");
            try (Socket ofProvider = connect(addresses[0]);
                    Socket ofHub = connect(addresses[1])) {
                assertThat(said.readLine()).isEqualTo("served");
                final long tookMs = Long.parseLong(said.readLine());
                for (int i = 0; i < 2; i++) {
                    final Matcher refused = REFUSED.matcher(said.readLine());
                    assertThat(refused.find()).isTrue();
                    assertThat(Long.parseLong(refused.group(1)))
                            .isBetween(1L, 2 + tookMs / BETWEEN_TRIES_MS);
                }
                assertThat(ofProvider.isClosed() || ofHub.isClosed()).isFalse();
            }
        } finally {
            roles.destroyForcibly();
        }
    }

    private static Socket connect(final String address) throws IOException {
        final String[] parts = address.split(":");
        return new Socket(parts[0], Integer.parseInt(parts[1]));
    }
}
