package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The echo is a program in Python, and so is what reads the histograms. */
class PythonEchoTest {
    /**
     * Every eighth echo comes 1.5 s late, and every tenth with a byte changed. All that is sent has
     * room, if this gets no core for a while.
     */
    private static final String ECHO =
            """
            import heapq, select, socket, sys, time
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2 << 20)
            s.bind(("127.0.0.1", 0))
            print(s.getsockname()[1], flush=True)
            later = []
            while True:
                wait = max(0, later[0][0] - time.monotonic()) if later else 1
                if select.select([s], [], [], wait)[0]:
                    data, peer = s.recvfrom(65536)
                    number = int.from_bytes(data[8:12], "little")
                    warms_up = data[12] & 4
                    if not warms_up and number % 10 == 9:
                        data = data[:-1] + bytes([data[-1] ^ 0xff])
                    if not warms_up and number % 8 == 4:
                        heapq.heappush(later, (time.monotonic() + 1.5, number, data, peer))
                    else:
                        s.sendto(data, peer)
                while later and later[0][0] <= time.monotonic():
                    _, _, data, peer = heapq.heappop(later)
                    s.sendto(data, peer)
            """;

    /** Keeps each message for a millisecond. */
    private static final String SLOW_ECHO =
            """
            import socket, time
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2 << 20)
            s.bind(("127.0.0.1", 0))
            print(s.getsockname()[1], flush=True)
            while True:
                data, peer = s.recvfrom(65536)
                time.sleep(0.001)
                s.sendto(data, peer)
            """;

    /** The same over TCP, to which a message is only bytes. */
    private static final String SLOW_TCP_ECHO =
            """
            import socket, time
            s = socket.socket()
            s.bind(("127.0.0.1", 0))
            s.listen(1)
            print(s.getsockname()[1], flush=True)
            c, _ = s.accept()
            c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                data = c.recv(65536)
                if not data:
                    break
                time.sleep(0.001)
                c.sendall(data)
            """;

    private static final long KEPT_NS = 1_000_000;

    /** What the library hdrhistogram makes of a log: count, largest, 50th and 90th percentile. */
    private static final String READ =
            """
            import sys
            from hdrh.histogram import HdrHistogram
            from hdrh.log import HistogramLogReader
            sum = HdrHistogram(1, 3600000000000, 3)
            reader = HistogramLogReader(sys.argv[1], sum)
            while True:
                each = reader.get_next_interval_histogram()
                if each is None:
                    break
                if each.get_tag().startswith(sys.argv[2] + "."):
                    sum.add(each)
            print(sum.get_total_count(), sum.get_max_value(),
                  sum.get_value_at_percentile(50), sum.get_value_at_percentile(90))
            """;

    @TempDir private Path folder;
    private Process echo;

    @AfterEach
    void endTheEcho() {
        if (echo != null) {
            echo.destroyForcibly().onExit().join();
        }
    }

    private static Path python() {
        final String python = System.getenv("TICKMARK_TEST_PYTHON");
        assumeTrue(
                python != null && Files.isExecutable(Path.of(python)),
                "a program in Python needs TICKMARK_TEST_PYTHON, which './tickmark test' sets");
        return Path.of(python);
    }

    private int startEcho(final String program) throws IOException {
        echo =
                new ProcessBuilder(
                                python().toString(),
                                Files.writeString(folder.resolve("echo.py"), program).toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        final BufferedReader said = echo.inputReader();
        return Integer.parseInt(said.readLine());
    }

    @Test
    void shouldGiveEachPingOneFateAndReportWhatTheStandardReaderReports() throws Exception {
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "latency --channel udp://127.0.0.1:"
                                + startEcho(ECHO)
                                + " --echo external --rate 200 --samples 800 --sizes 64 --warm-up 0"
                                + " --ping-timeout 1s --no-noise --out run --json");

        final JsonNode trial = ResultDocument.parse(outcome.out()).trial();
        final long inTime = trial.at("/responseNs/count").asLong();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(trial.path("sent").asLong()).isEqualTo(800);
        assertThat(trial.path("received").asLong()).isEqualTo(inTime);
        assertThat(trial.path("lost").asLong()).as("late or corrupted is not lost").isZero();
        assertThat(trial.at("/counts/timedOut").asLong())
                .as("each that came 1.5 s late, and was not corrupted besides: " + trial)
                .isGreaterThanOrEqualTo(80);
        assertThat(inTime + fates(trial)).as("one fate each: " + trial).isEqualTo(800);
        assertThat(trial.at("/responseNs/max").asLong()).isLessThanOrEqualTo(1_001_000_000L);
        // ten have to be above
        assertThat(trial.at("/responseNs/p90").isMissingNode()).isEqualTo(inTime < 100);
        assertThat(trial.at("/responseNs/p99").isMissingNode()).isTrue();
        final String[] read = read("responseNs").split(" ");
        assertThat(Long.parseLong(read[0])).isEqualTo(inTime);
        assertThat(Long.parseLong(read[1])).isEqualTo(trial.at("/responseNs/max").asLong());
        if (inTime >= 100) {
            assertThat(Long.parseLong(read[2])).isEqualTo(trial.at("/responseNs/p50").asLong());
            assertThat(Long.parseLong(read[3])).isEqualTo(trial.at("/responseNs/p90").asLong());
        }
    }

    /** Over TCP one ping at a time: two that are read together have no times. */
    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp"})
    void shouldFindTheTimeInTheEchoBetweenTheKernelsStamps(final String scheme) throws Exception {
        final boolean isUdp = scheme.equals("udp");
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "latency --channel "
                                + scheme
                                + "://127.0.0.1:"
                                + startEcho(isUdp ? SLOW_ECHO : SLOW_TCP_ECHO)
                                + "?kernelTimes=true --echo external"
                                + (isUdp ? " --rate 300" : "")
                                + " --samples 1200 --sizes 64"
                                + " --warm-up 0 --no-noise --out run --json");

        final JsonNode trial = ResultDocument.parse(outcome.out()).trial();
        final JsonNode stages = trial.at("/tail/stages");
        assertThat(stages.size()).as(trial.toString()).isGreaterThanOrEqualTo(3);
        long messages = 0;
        long sumNs = 0;
        for (final JsonNode band : stages) {
            final long known = band.path("messages").asLong();
            assertThat(band.path("unknown").asLong()).isZero();
            assertThat(band.path("onTheWayNs").asLong()).isGreaterThan(known * KEPT_NS);
            messages += known;
            for (final String stage :
                    List.of("untilSentNs", "inSendNs", "onTheWayNs", "untilReceivedNs")) {
                if (isUdp || !stage.equals("untilSentNs")) {
                    assertThat(band.path(stage).asLong()).as(stage).isPositive();
                } // one ping at a time is sent when it is due
                sumNs += band.path(stage).asLong();
            }
        }
        // of all echoes that came in time, but for the last band, which may have too few
        assertThat(messages).isGreaterThanOrEqualTo(trial.path("received").asLong() - 12);
        final JsonNode latency = trial.path(isUdp ? "responseNs" : "roundTripNs");
        final double allNs = latency.path("count").asDouble() * latency.path("mean").asDouble();
        final double mostLeftOutNs =
                (latency.path("count").asDouble() - messages) * latency.path("max").asDouble();
        assertThat((double) sumNs).isBetween(0.8 * (allNs - mostLeftOutNs), 1.2 * allNs);
        assertThat(Files.readString(folder.resolve("run/summary.txt")))
                .contains("Where messages were, by the kernel's times (means)");
    }

    private static long fates(final JsonNode trial) {
        return trial.at("/counts/timedOut").asLong() + trial.at("/counts/corrupted").asLong();
    }

    private String read(final String latency) throws Exception {
        final Path log;
        try (var files = Files.walk(folder.resolve("run"))) {
            log = files.filter(file -> file.endsWith("latency.hlog")).findFirst().orElseThrow();
        }
        final Process reader =
                new ProcessBuilder(
                                python().toString(),
                                Files.writeString(folder.resolve("read.py"), READ).toString(),
                                log.toString(),
                                latency)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        final String line = reader.inputReader().readLine();
        assertThat(reader.waitFor()).isZero();
        return line;
    }
}
