package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkLinkTest {
    @TempDir private Path root;

    private NetworkLink link(final String type, final String speed, final String mtu)
            throws IOException {
        final Path folder = Files.createDirectories(root.resolve("sys/class/net/eth7"));
        Files.writeString(folder.resolve("type"), type + "\n");
        Files.writeString(folder.resolve("speed"), speed + "\n");
        Files.writeString(folder.resolve("mtu"), mtu + "\n");
        return NetworkLink.read(new HostFiles(root), "eth7");
    }

    @Test
    void shouldReadSpeedAndLargestPacket() throws IOException {
        assertThat(link("1", "10000", "9000"))
                .isEqualTo(new NetworkLink("eth7", false, 10_000_000_000L, 9000));
    }

    @Test
    void shouldNotKnowASpeedThatTheKernelDoesNotReport() throws IOException {
        assertThat(link("1", "-1", "1500").bitsPerSecond()).isZero();
        assertThat(NetworkLink.read(new HostFiles(root), "absent"))
                .isEqualTo(new NetworkLink("absent", false, 0, 1500));
    }

    @Test
    void shouldTakeTheLoopbackForAnEthernetOfUnknownSpeed() throws IOException {
        assertThat(link("772", "", "65536")).isEqualTo(new NetworkLink("lo", true, 0, 1500));
        assertThat(NetworkLink.towards(InetAddress.getLoopbackAddress()))
                .contains(new NetworkLink("lo", true, 0, 1500));
    }
}
