package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkFactsTest {
    private static final String ETH0 = "/sys/class/net/eth0/";

    @TempDir private Path root;
    private FakeHost host;

    @BeforeEach
    void makeHost() {
        host = new FakeHost(root);
    }

    @Test
    void shouldDescribeInterfacesThatAreUp() throws Exception {
        host.with(ETH0 + "operstate", "up\n")
                .with(ETH0 + "speed", "25000\n")
                .with(ETH0 + "mtu", "1500\n")
                .with(ETH0 + "threaded", "0\n")
                .with(ETH0 + "queues/rx-0/rps_cpus", "0")
                .with(ETH0 + "queues/rx-1/rps_cpus", "0")
                .with(ETH0 + "queues/tx-0/tx_timeout", "0")
                .with("/drivers/mlx5_core/bind", "")
                .with("/sys/class/net/eth1/operstate", "down\n");
        Files.createDirectories(root.resolve("sys/class/net/eth0/device"));
        Files.createSymbolicLink(
                root.resolve("sys/class/net/eth0/device/driver"),
                root.resolve("drivers/mlx5_core"));

        assertThat(NetworkFacts.interfaces(host.files()).toMap())
                .isEqualTo(
                        Map.of(
                                "eth0",
                                Map.of(
                                        "driver", "mlx5_core",
                                        "speedMbps", 25_000L,
                                        "mtuBytes", 1500L,
                                        "receiveQueues", 2L,
                                        "sendQueues", 1L,
                                        "threadedPolling", false)));
    }

    @Test
    void shouldSayHowManyInterfacesItDoesNotDescribe() {
        for (int i = 0; i < 40; i++) {
            host.with("/sys/class/net/veth%d/operstate".formatted(i), "up\n");
        }

        assertThat(NetworkFacts.interfaces(host.files()).toMap())
                .hasSize(33)
                .containsEntry("notListed", 8);
    }

    @Test
    void shouldLeaveOutASpeedThatIsNotKnown() {
        host.with(ETH0 + "operstate", "unknown\n").with(ETH0 + "speed", "-1\n");

        assertThat(NetworkFacts.interfaces(host.files()).toMap())
                .isEqualTo(Map.of("eth0", Map.of("receiveQueues", 0L, "sendQueues", 0L)));
    }

    @Test
    void shouldReadTheLimitsOfSockets() {
        host.with("/proc/sys/net/core/rmem_max", "212992\n")
                .with("/proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t33554432\n")
                .with("/proc/sys/net/ipv4/tcp_wmem", "odd\n");

        assertThat(NetworkFacts.sockets(host.files()).toMap())
                .isEqualTo(
                        Map.of(
                                "receiveBufferMaxBytes", 212_992L,
                                "tcpReceiveBufferMaxBytes", 33_554_432L));
    }

    @Test
    void shouldFindLibrariesThatGoRoundTheKernel() {
        host.with(
                "/proc/self/maps",
                """
                7f00-7f01 r-xp 00000000 08:01 1 /usr/lib64/libonload.so
                7f01-7f02 r--p 00000000 08:01 1 /usr/lib64/libonload.so
                7f02-7f03 r-xp 00000000 08:01 2 /usr/lib/libvma.so.9.8.1
                7f03-7f04 r-xp 00000000 08:01 3 /usr/lib/libvmaf.so.1
                7f04-7f05 r-xp 00000000 08:01 4 /usr/lib/libc.so.6
                """);

        assertThat(NetworkFacts.bypass(host.files())).isEqualTo(List.of("onload", "vma"));
    }
}
