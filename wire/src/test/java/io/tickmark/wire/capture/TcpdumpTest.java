package io.tickmark.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.Pcap;
import io.tickmark.wire.WireNeeds;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TcpdumpTest {
    @TempDir Path folder;

    @BeforeEach
    void needTcpdump() {
        WireNeeds.tcpdump(folder);
    }

    @Test
    void shouldHaveEveryPacketFromItsStartToItsStop() throws IOException {
        final Path file = folder.resolve("a.pcap");
        final CaptureCounts counts;
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket sender = new DatagramSocket();
                Tcpdump tcpdump =
                        Tcpdump.start(
                                new TcpdumpOptions(
                                        "lo", "udp dst port " + receiver.getLocalPort(), 8),
                                file)) {
            for (int i = 0; i < 500; i++) {
                sender.send(
                        new DatagramPacket(new byte[100], 100, receiver.getLocalSocketAddress()));
            }
            counts = tcpdump.stop();
            assertThat(tcpdump.isRunning()).isFalse();
            assertThat(tcpdump.stop()).as("again").isEqualTo(counts);
        }

        assertThat(counts.captured()).isEqualTo(500);
        assertThat(counts.dropped()).isZero();
        assertThat(Pcap.read(file).frames())
                .hasSize(500)
                .allSatisfy(frame -> assertThat(frame.bytes()).hasSize(frame.originalBytes()));
    }

    @Test
    void shouldSayThatThereIsNoSuchDevice() {
        assertThatThrownBy(() -> start("nowhere7", ""))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--device nowhere7: there is no such device");
    }

    @Test
    void shouldSayWhatIsWrongWithAFilter() {
        assertThatThrownBy(() -> start("lo", "tcp prot 7"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--filter 'tcp prot 7'");
    }

    @Test
    void shouldSayThatTheFileCannotBeWritten() {
        assertThatThrownBy(() ->
                        Tcpdump.start(
                                new TcpdumpOptions("lo", "", 1), folder.resolve("none/a.pcap")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none/a.pcap cannot be written");
    }

    private void start(final String device, final String filter) {
        Tcpdump.start(new TcpdumpOptions(device, filter, 1), folder.resolve("b.pcap")).close();
    }
}
