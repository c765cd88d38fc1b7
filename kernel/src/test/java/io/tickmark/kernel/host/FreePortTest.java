package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    void shouldPassOverATcpPortThatIsTaken() throws Exception {
        final int next = FreePort.tcp(LOOPBACK) + 1;
        try (ServerSocket _ = new ServerSocket(next, 1, LOOPBACK)) {
            assertThat(FreePort.tcp(LOOPBACK)).isNotEqualTo(next);
        }
    }

    @Test
    void shouldPassOverAUdpPortThatIsTaken() throws Exception {
        final int next = FreePort.udp(LOOPBACK) + 1;
        try (DatagramSocket _ = new DatagramSocket(new InetSocketAddress(LOOPBACK, next))) {
            assertThat(FreePort.udp(LOOPBACK)).isNotEqualTo(next);
        }
    }

    @Test
    void shouldChooseAnotherOneEachTimeBelowThoseThatSystemsGiveAway() throws Exception {
        final Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            ports.add(FreePort.tcp(LOOPBACK));
        }
        assertThat(ports).hasSize(100).allMatch(port -> port >= 10_000 && port < 32_768);
    }

    @Test
    void shouldRefuseAnAddressOfAnotherHost() throws Exception {
        final InetAddress elsewhere = InetAddress.getByName("192.0.2.1"); // RFC 5737
        assertThatThrownBy(() -> FreePort.tcp(elsewhere)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> FreePort.udp(elsewhere)).isInstanceOf(IOException.class);
    }
}
