package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bare sockets through the front door, with the letters of the programs that test those. */
class SocketTest {
    @TempDir private Path folder;

    @Test
    void shouldSendToAGroupAndReceiveByHand() throws Exception {
        // A group of this process alone: others on this machine may run the same test.
        final String group = "239.192.77." + (ProcessHandle.current().pid() % 250 + 1);
        try (Job subscriber = start("socket sub -g " + group);
                Job publisher =
                        start(
                                "socket pub -g "
                                        + group
                                        + " -m 128 -n 300 -s 500 -w 15,500 -H 10,1000"
                                        + " --jvm-warm-up 20ms")) {
            final Launch.Outcome sent = publisher.await();
            assertThat(sent.err()).contains("Publishing on mcast://" + group + ":14400");
            assertThat(sent.out())
                    .contains("sleep", "actual_sends=300, ", "Time inside the send call: ");
            sent.passedOrWasSaturated();
            final Launch.Outcome received = subscriber.await();
            assertThat(received.out()).contains("num_rx_msgs=300, num_unrec_loss=0", "Passed.");
            assertThat(received.exitCode()).isZero();
        }
    }

    @Test
    void shouldMeasureUnicastOnThisMachineByOneCommand() {
        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "socket --address 127.0.0.1 -m 64 -n 500 -s 200 --jvm-warm-up 20ms"
                                        + " --no-noise --json")
                        .run();

        final ResultDocument result = ResultDocument.parse(outcome.out());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(result.text("plan")).isEqualTo("socket");
        assertThat(result.trials())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.path("workload").asString()).isEqualTo("stream");
                    assertThat(row.path("channel").asString()).isEqualTo("udp://127.0.0.1:0");
                    assertThat(row.path("received").asInt()).isEqualTo(500);
                    // 64 bytes, UDP 8, IP 20, Ethernet 38.
                    assertThat(row.at("/counts/wireBytes").asInt()).isEqualTo(500 * 130);
                    assertThat(row.at("/counts/wireFrames").asInt()).isEqualTo(500);
                    assertThat(row.at("/roles/0/metrics/link").asString()).isEqualTo("lo");
                    assertThat(row.at("/roles/0/metrics/linkBitsPerSecond").asString())
                            .isEqualTo("unknown");
                    assertThat(row.path("labels").toString()).contains("paced-by-sleeping");
                });
    }

    private Job start(final String line) throws Exception {
        return Job.start(Launch.tickmark(folder, line), folder);
    }
}
