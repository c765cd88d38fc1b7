package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Streams between two hosts whose network drops datagrams. */
class LossyNetworkTest {
    private static final int SUBSCRIBING = 2;
    private static final int ONE_IN = 20;

    /** How the reason of a busy machine begins that did not hold the rate. */
    private static final String RATE = "Held ";

    @TempDir private Path folder;
    private Namespaces hosts;

    @BeforeEach
    void makeHosts() {
        hosts = new Namespaces(SUBSCRIBING);
        hosts.lose(SUBSCRIBING, ONE_IN);
    }

    @AfterEach
    void removeHosts() {
        if (hosts != null) {
            hosts.close();
        }
    }

    @Test
    void shouldRepairWhatAReliableEngineLostInBursts() throws Exception {
        final Results results =
                stream(
                        "stream",
                        "--channel aeron:udp?endpoint=" + Namespaces.ip4(1) + ":14555",
                        " --pace bursts --rate 5000 --burst-on 20ms --burst-off 20ms");

        assertThat(results.reasons()).allMatch(reason -> reason.startsWith(RATE));
        assertThat(results.received().path("received").asInt()).isEqualTo(1000);
        assertThat(results.received().path("lost").asInt()).isZero();
        assertThat(results.sent().at("/roles/0/metrics/retransmitsSent").asInt()).isPositive();
        assertThat(results.sent().at("/roles/0/metrics/link").asString()).isEqualTo("veth");
    }

    @Test
    void shouldCountWhatBareSocketsLose() throws Exception {
        final Results results =
                stream(
                        "socket",
                        "--address " + Namespaces.ip4(1),
                        " --rate 2000 --warm-up-messages 10,100");

        final int received = results.received().path("received").asInt();
        final int lost = results.received().path("lost").asInt();
        assertThat(received + lost).isEqualTo(1000);
        assertThat(lost).isPositive();
        assertThat(results.reasons())
                .as("the publisher tells what was lost")
                .anyMatch(reason -> reason.startsWith("Lost "))
                .allMatch(reason -> reason.startsWith("Lost ") || reason.startsWith(RATE));
        assertThat(results.sent().at("/counts/wireFrames").asInt()).isEqualTo(1000);
    }

    private record Results(JsonNode sent, JsonNode received) {
        /** Why the publisher did not pass. */
        List<String> reasons() {
            return sent.path("reasons").valueStream().map(JsonNode::asString).toList();
        }
    }

    private Results stream(final String command, final String where, final String more)
            throws Exception {
        try (Job publisher =
                        start(
                                1,
                                command
                                        + " pub "
                                        + where
                                        + " -m 200 -n 1000 --jvm-warm-up 20ms --json"
                                        + more);
                Job subscriber =
                        start(SUBSCRIBING, command + " sub " + where + " --cookie 1 --json")) {
            final Launch.Outcome sent = publisher.await();
            final Launch.Outcome received = subscriber.await();
            return new Results(
                    ResultDocument.parse(sent.out()).trials().getFirst(),
                    ResultDocument.parse(received.out()).trials().getFirst());
        }
    }

    private Job start(final int host, final String line) throws Exception {
        return Job.start(hosts.on(host, Launch.tickmark(folder, line)), folder);
    }
}
