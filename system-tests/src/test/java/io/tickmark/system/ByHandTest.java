package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Each side a separate command, with the spellings of the reference tools. */
@Execution(ExecutionMode.CONCURRENT)
class ByHandTest {
    private static final String THREE_SIZES =
            " -subscribers 2 -numIter 100 -minSize 16 -maxSize 64 --warm-up 50ms --ping-timeout 20s";

    @TempDir private Path folder;

    /** The reference test wants its publisher first and its subscribers in order; we do not. */
    @ParameterizedTest
    @ValueSource(strings = {"pub,echo,deaf", "deaf,echo,pub"})
    void shouldCountItsSubscribersInWhateverTheOrderOfStarting(final String order)
            throws Exception {
        final String address = "udp://" + LoopbackAddress.next();
        final String channel = " --channel " + address;
        Job publisher = null;
        Job deaf = null;
        Job echo = null;
        try {
            for (final String name : order.split(",")) {
                switch (name) {
                    case "pub" -> publisher = start("latency pub" + channel + THREE_SIZES);
                    case "deaf" -> deaf = start("latency sub" + channel + " -cookie 1 -noecho");
                    default -> echo = start("latency sub" + channel + " -cookie 2");
                }
            }
            final Launch.Outcome sent = publisher.await();
            assertThat(sent.err())
                    .contains("Publishing on " + address)
                    .contains("Waiting for 2 receivers...[1]...[2]");
            assertThat(sent.out())
                    .containsSubsequence(
                            "bytes",
                            "stdev us",
                            "ave us",
                            "min us",
                            "50% us",
                            "90% us",
                            "99% us",
                            "99.99% us",
                            "max us",
                            "\n   16 ",
                            "\n   32 ",
                            "\n   64 ",
                            "Passed.");
            assertThat(sent.exitCode()).isZero();
            for (final Launch.Outcome received : List.of(deaf.await(), echo.await())) {
                assertThat(received.out())
                        .contains("No latency measured;", "300 messages", "Passed.");
                saidNothingBut("Socket send buffer ", received);
                assertThat(received.exitCode()).isZero();
            }
        } finally {
            close(publisher, deaf, echo);
        }
    }

    /**
     * A subscriber that connects after one with a higher cookie is also informed that this does not
     * matter.
     */
    private static void saidNothingBut(final String begin, final Launch.Outcome received) {
        assertThat(received.errLines())
                .filteredOn(line -> !line.startsWith("--cookie 1: a subscriber with a higher"))
                .singleElement()
                .asString()
                .startsWith(begin);
    }

    @Test
    void shouldStreamWithTheOptionsOfTheReference() throws Exception {
        final String channel = "tcp://" + LoopbackAddress.next();
        try (Job subscriber =
                        start("stream sub --channel " + channel + " -t topic1 --out received");
                Job publisher =
                        start(
                                "stream pub --channel "
                                        + channel
                                        + " -m 700 -n 2000 -r 5000 -t topic1 -w 15,5"
                                        + " --jvm-warm-up 50ms")) {
            final Launch.Outcome sent = publisher.await();
            assertThat(sent.out())
                    .containsPattern(
                            "(?m)^actual_sends=2000, duration_ns=\\d+, result_rate=[\\d.]+,"
                                    + " global_max_tight_sends=\\d+, max_flight_size=n/a$");
            // Of what came, a publisher by itself knows nothing.
            assertThat(sent.out()).contains("n/a").doesNotContain("nothing lost", "Nothing was");
            assertThat(sent.err()).contains("Waiting for 1 receiver...[1]");
            final Launch.Outcome received = subscriber.await();
            assertThat(received.out())
                    .contains("num_rx_msgs=2000, num_unrec_loss=0\n", "Passed.")
                    .doesNotContain("actual_sends");
            assertThat(received.exitCode()).isZero();
        }
        final Path received = folder.resolve("received");
        assertThat(ResultDocument.read(received.resolve("result.json")).text("verdict"))
                .isEqualTo("pass");
        assertThat(
                        received.resolve("roles")
                                .resolve(
                                        ResultFolder.nameOf("stream-sub", channel, "stream-sub-1")))
                .isDirectoryContaining("glob:**/summary.txt")
                .isDirectoryContaining("glob:**/stats.csv")
                .isDirectoryContaining("glob:**/latency.hlog");
        assertThat(Launch.here("report " + received).exitCode()).isZero();
        assertThat(received.resolve("report.html")).isNotEmptyFile();
    }

    /** As the reference starts it: one subscriber of four topics for publishers of any of them. */
    @ParameterizedTest
    @CsvSource({"aeron:udp?endpoint=, topic1abc", "udp://, 'topic1,topic2,topic3'"})
    void shouldReceiveWhicheverOfItsTopicsArePublished(final String engine, final String published)
            throws Exception {
        final String channel = engine + LoopbackAddress.next();
        try (Job subscriber =
                        start(
                                "stream sub -a 0 -t topic1,topic2,topic3,topic1abc --channel "
                                        + channel);
                Job publisher =
                        start(
                                "stream pub -a 1 -m 700 -n 600 -r 3000 -w 15,5 --jvm-warm-up 50ms -t "
                                        + published
                                        + " --channel "
                                        + channel)) {
            final Launch.Outcome sent = publisher.await();
            sent.passedOrWasSaturated();
            final Launch.Outcome received = subscriber.await();
            assertThat(received.out())
                    .contains("num_rx_msgs=600, num_unrec_loss=0\n", "--topics: no publisher for");
            assertThat(received.exitCode()).isZero();
        }
    }

    @Test
    void shouldReportEachSideAsJson() throws Exception {
        final String channel = "shm://tickmark-by-hand-" + ProcessHandle.current().pid();
        try (Job subscriber = start("latency sub --channel " + channel + " -cookie 1 --json");
                Job publisher =
                        start(
                                "latency pub --channel "
                                        + channel
                                        + " -subscribers 1 -numIter 100 -minSize 16 -maxSize 32"
                                        + " --warm-up 0 --ping-timeout 20s --json")) {
            final Launch.Outcome sent = publisher.await();
            assertThat(ResultDocument.parse(sent.out()).trials())
                    .extracting(row -> row.path("payloadBytes").asInt())
                    .containsExactly(16, 32);
            final Launch.Outcome received = subscriber.await();
            assertThat(received.err()).isEmpty();
            assertThat(ResultDocument.parse(received.out()).trials())
                    .hasSize(2)
                    .extracting((JsonNode row) -> row.path("received").asInt())
                    .containsOnly(100);
        }
        assertThat(Files.exists(Path.of("/dev/shm/" + channel.substring("shm://".length()))))
                .isFalse();
    }

    @Test
    void shouldReportHowManySubscribersAPublisherCountedIn() throws Exception {
        final String channel = " --channel udp://" + LoopbackAddress.next();
        try (Job first = start("latency sub -cookie 1 -noecho" + channel);
                Job second = start("latency sub -cookie 2" + channel);
                Job publisher =
                        start(
                                "latency pub -subscribers 2 -numIter 100 --sizes 16 --warm-up 0 --ping-timeout 20s --json"
                                        + channel)) {
            final Launch.Outcome outcome = publisher.await();
            assertThat(outcome.exitCode())
                    .as("%s\n1: %s\n2: %s", outcome.err(), first.err(), second.err())
                    .isZero();
            assertThat(ResultDocument.parse(outcome.out()).trials())
                    .extracting(
                            row -> row.path("subscribers").asInt(),
                            row -> row.path("expected").asInt())
                    .containsExactly(tuple(2, 200));
            assertThat(first.await().exitCode()).isZero();
            assertThat(second.await().exitCode()).isZero();
        }
    }

    private Job start(final String line) throws IOException {
        return Job.start(Launch.tickmark(folder, line), folder);
    }

    private static void close(final Job... jobs) {
        for (final Job job : jobs) {
            if (job != null) {
                job.close();
            }
        }
    }
}
