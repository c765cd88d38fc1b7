package io.tickmark.wire.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.match.EpochOffset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureCountsTest {
    @TempDir Path folder;

    @Test
    void shouldReadWhatTcpdumpSays() {
        assertThat(
                        CaptureCounts.of(
                                List.of(
                                        "tcpdump: listening on any, link-type LINUX_SLL (Linux cooked)",
                                        "4999849 packets captured",
                                        "9999698 packets received by filter",
                                        "3 packets dropped by kernel",
                                        "1 packet dropped by interface")))
                .isEqualTo(new CaptureCounts(4_999_849, 9_999_698, 4));
        assertThat(CaptureCounts.of(List.of("99999999999999999999 packets captured")))
                .isEqualTo(new CaptureCounts(-1, -1, -1));
    }

    /** The reason is in another line with each version of libpcap. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcpdump: lo: You don't have permission to capture on that device\n(socket: Operation not permitted)",
                "tcpdump: lo: You don't have permission to perform this capture on that device\n"
                        + "(Attempt to create packet socket failed - CAP_NET_RAW may be required)",
                "tcpdump: lo: You don't have permission to perform this capture on that device\n(something new)"
            })
    void shouldSayThatTheUserMayNotCaptureHoweverTcpdumpSaysIt(final String said) {
        assertThat(Tcpdump.refused(new TcpdumpOptions("lo", "", 1), List.of(said.split("\n"))))
                .hasMessageStartingWith("this user may not capture on lo: run as root")
                .hasMessageContaining("cap_net_raw");
    }

    /** Its reason is printed before the counts. */
    @Test
    void shouldSayWhyTcpdumpEndedByItself() {
        final String says =
                "echo 'listening on lo' >&2; echo 'tcpdump: pcap_loop: The interface disappeared' >&2;"
                        + " echo '7 packets captured' >&2; exit 1";
        try (Tcpdump tcpdump =
                Tcpdump.start(
                        new TcpdumpOptions("lo", "", 1),
                        folder.resolve("a.pcap"),
                        List.of("sh", "-c", says))) {
            assertThat(tcpdump.stop()).isEqualTo(new CaptureCounts(7, -1, -1));
            assertThat(tcpdump.ownEnd())
                    .isEqualTo("exit status 1: pcap_loop: The interface disappeared");
        }
    }

    /** They were beyond the lines that are kept, and then not known. */
    @Test
    void shouldHearItsCountsHoweverMuchItSaysBefore() {
        final String says =
                "echo 'listening on lo' >&2; i=0; while [ $i -lt 500 ]; do i=$((i+1)); echo \"a warning\" >&2; done;"
                        + " echo '7 packets captured' >&2; echo '2 packets dropped by kernel' >&2";
        try (Tcpdump tcpdump =
                Tcpdump.start(
                        new TcpdumpOptions("lo", "", 1),
                        folder.resolve("a.pcap"),
                        List.of("sh", "-c", says))) {
            assertThat(tcpdump.stop()).isEqualTo(new CaptureCounts(7, -1, 2));
        }
    }

    /** On a busy machine it may still be about to read what the kernel holds for it. */
    @Test
    void shouldNotEndItBeforeItHasTakenInWhatThereIs() {
        final Path file = folder.resolve("a.pcap");
        try (Tcpdump tcpdump =
                Tcpdump.start(
                        new TcpdumpOptions("lo", "", 1),
                        file,
                        List.of(
                                "sh",
                                "-c",
                                "echo 'listening on lo' >&2; i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done;"
                                        + " echo the last block; exec sleep 60"))) {
            tcpdump.stop();
        }

        assertThat(file).content().isEqualTo("the last block\n");
    }

    @Test
    void shouldSayNothingOfAnEndThatWasAskedFor() {
        try (Tcpdump tcpdump =
                Tcpdump.start(
                        new TcpdumpOptions("lo", "", 1),
                        folder.resolve("a.pcap"),
                        List.of("sh", "-c", "echo 'listening on lo' >&2; exec sleep 60"))) {
            tcpdump.stop();
            assertThat(tcpdump.isRunning()).isFalse();
            assertThat(tcpdump.ownEnd()).isEmpty();
        }
    }

    @Test
    void shouldLeaveOutCountsThatAreNotKnown() {
        final Path file = folder.resolve("a.pcap");
        new CaptureFacts(new CaptureCounts(5, -1, -1), Optional.empty()).write(file);

        assertThat(folder.resolve("a.pcap.facts"))
                .content()
                .contains("captured=5")
                .doesNotContain("-1");
    }

    @Test
    void shouldKeepWhatTheFileCannotSayBesideIt() {
        final Path file = folder.resolve("a.pcap");
        final CaptureFacts facts =
                new CaptureFacts(new CaptureCounts(1, 2, 0), Optional.of(new EpochOffset(5, 9)));
        facts.write(file);

        assertThat(CaptureFacts.of(file)).contains(facts);
        assertThat(facts.offset().orElseThrow().ns()).isEqualTo(7);
        assertThat(CaptureFacts.of(folder.resolve("b.pcap"))).isEmpty();
    }

    @Test
    void shouldSayWhichFactIsNone() throws IOException {
        Files.writeString(folder.resolve("a.pcap.facts"), "dropped=many\n");

        assertThatThrownBy(() -> CaptureFacts.of(folder.resolve("a.pcap")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("a.pcap.facts: dropped=many is not a number");
    }
}
