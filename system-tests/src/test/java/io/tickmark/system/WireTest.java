package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Captures, taken and read through the front door. */
@Isolated("what others send on the loopback device could fill the capture's buffer")
class WireTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "latency --sizes 64 --samples 500 --warm-up 50ms --ping-timeout 10s, udp://127.0.0.1:0, 500, true",
        "latency --sizes 64 --samples 500 --warm-up 50ms --ping-timeout 10s, tcp://127.0.0.1:0, 500, true",
        "stream --payload-bytes 100 --rate 2k --messages 10000 --jvm-warm-up 50ms, udp://127.0.0.1:0, 10000, false",
        "stream --payload-bytes 100 --messages 10000 --jvm-warm-up 0, tcp://127.0.0.1:0, 10000, false"
    })
    void shouldSetTheWireBesideTheApplicationMessageByMessage(
            final String command, final String channel, final int messages, final boolean isEchoed)
            throws IOException {
        CaptureNeeds.tcpdump(folder);
        final ResultDocument result =
                ResultDocument.parse(
                        run(
                                command
                                        + " --channel "
                                        + channel
                                        + " --capture --no-noise --json --out there"));
        final JsonNode trial = result.trial();
        final JsonNode capture =
                trial.path("roles")
                        .valueStream()
                        .filter(role -> role.path("role").asString().equals("capture"))
                        .findFirst()
                        .orElseThrow();

        assertThat(capture.at("/metrics/droppedByCapture").asLong(-1)).isZero();
        assertThat(capture.at("/metrics/paired").asInt()).isEqualTo(messages);
        for (final String latency :
                new String[] {"applicationNs", "sameOnWireNs", "applicationMinusWireNs"}) {
            assertThat(trial.path(latency).path("count").asInt()).as(latency).isEqualTo(messages);
        }
        assertThat(trial.path("wireRoundTripNs").isMissingNode()).isEqualTo(!isEchoed);
        assertThat(trial.path("sameOnWireNs").path("p50").asLong())
                .isLessThan(trial.path("applicationNs").path("p50").asLong());
        assertThat(trial.path("received").asInt()).isEqualTo(messages);
        assertThat(
                        trial.at("/tail/stages")
                                .valueStream()
                                .mapToInt(band -> band.path("messages").asInt())
                                .sum())
                .as("round trips of which the capture shows the stages")
                .isBetween(isEchoed ? messages * 9 / 10 : 0, isEchoed ? messages : 0);
        assertThat(Files.walk(folder.resolve("there")))
                .noneMatch(file -> file.toString().endsWith(".pcap"));
    }

    /** Messages of 16 bytes do not say of which run they are. */
    @Test
    void shouldTellItsOwnMessagesFromThoseOfAnotherRun() throws Exception {
        CaptureNeeds.tcpdump(folder);
        final String line =
                "latency --sizes 16 --warm-up 50ms --ping-timeout 10s --no-noise --no-history --json";
        try (Job other =
                Job.start(
                        Launch.tickmark(folder, line + " --samples 1M --rate 1k --out other"),
                        folder)) {
            other.awaitReceived(folder.resolve("other"));
            final JsonNode trial =
                    ResultDocument.parse(run(line + " --samples 500 --capture --out own")).trial();
            final JsonNode capture =
                    trial.path("roles")
                            .valueStream()
                            .filter(role -> role.path("role").asString().equals("capture"))
                            .findFirst()
                            .orElseThrow();

            assertThat(other.isAlive()).as(other.err()).isTrue();
            assertThat(trial.at("/wireRoundTripNs/count").asInt()).isEqualTo(500);
            assertThat(capture.at("/metrics/otherTrials").asLong()).isPositive();
        }
    }

    @Test
    void shouldTakeACaptureForATime() {
        CaptureNeeds.tcpdump(folder);
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "capture a.pcap --duration 100ms")
                        .and("--filter", "udp and host 192.0.2.1")
                        .run();

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("packets captured", "0 packets dropped");
        assertThat(folder.resolve("a.pcap.facts")).content().contains("dropped=0");
        assertThat(Launch.here("wire " + folder.resolve("a.pcap")).exitCode())
                .as("there is nothing to be measured in it")
                .isEqualTo(1);
    }

    @Test
    void shouldFailWithTheReasonWhereTcpdumpEndsByItself() throws IOException {
        final Path programs = Files.createDirectory(folder.resolve("programs"));
        final Path program =
                Files.writeString(
                        programs.resolve("tcpdump"),
                        "#!/bin/sh\necho 'listening on lo' >&2\n"
                                + "echo 'tcpdump: pcap_loop: The interface disappeared' >&2\nexit 1\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        final Launch.Outcome outcome =
                Launch.tickmark(folder, "capture a.pcap")
                        .with("PATH", programs + ":" + System.getenv("PATH"))
                        .run();

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err())
                .contains(
                        "tcpdump exited on its own (exit status 1: pcap_loop: The interface disappeared)");
        assertThat(outcome.out()).doesNotContain("-1");
    }

    @Test
    void shouldNotMeasureWhereTheUserMayNotCapture() throws IOException {
        CaptureNeeds.tcpdump(folder);
        assumeTrue("root".equals(System.getProperty("user.name")), "only root becomes nobody");
        final Launch asNobody =
                Launch.of(
                                Path.of("setpriv"),
                                "--reuid=65534",
                                "--clear-groups",
                                Launch.ROOT.resolve("tickmark").toString())
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never");
        assumeTrue(
                asNobody.and("--version").run().exitCode() == 0, "nobody may not read this folder");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        final Launch.Outcome alone = asNobody.and("capture", "a.pcap").in(folder).run();
        final Launch.Outcome run =
                asNobody.and(
                                "latency",
                                "--sizes",
                                "64",
                                "--samples",
                                "100",
                                "--warm-up",
                                "50ms",
                                "--ping-timeout",
                                "10s",
                                "--no-noise",
                                "--capture")
                        .in(folder)
                        .run();

        assertThat(alone.exitCode()).isEqualTo(3);
        assertThat(alone.err()).contains("this user may not capture on lo");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("Void.", "this user may not capture on lo: run as root");
    }

    @Test
    void shouldSayWhereACaptureIsBroken() throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0xa1b2c3d4).putInt(20, 1).putInt(32, -5);
        final Path broken = Files.write(folder.resolve("broken.pcap"), bytes.array());
        final Launch.Outcome outcome = Launch.here("wire " + broken);

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains("broken.pcap, byte 24: a packet that says it has 4294967291 bytes");
        assertThat(Launch.here("wire " + broken + " --quiet").out())
                .contains("Void. 1 of 1 trial", "broken.pcap, byte 24")
                .hasLineCount(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wire none.pcap | none.pcap does not exist; name a capture file",
                "wire none.pcap many | SKIP",
                "wire none.pcap 5 --skip 7 | SKIP 5: it is also given with --skip",
                "wire none.pcap --in-port 0 | --in-port",
                "capture | FILE"
            })
    void shouldSayWhatIsWrongWithTheCommand(final String command, final String sentence) {
        final Launch.Outcome outcome = Launch.here(command);

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains(sentence).doesNotContain("\tat ");
    }

    private String run(final String command) {
        final Launch.Outcome outcome = Launch.here(folder, command);
        // a busy machine may not hold the rate; what is captured is whole all the same
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isLessThanOrEqualTo(1);
        return outcome.out();
    }
}
