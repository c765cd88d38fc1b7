package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole measurements through the front door; what they say about speed is not looked at. */
class MeasuringTest {
    private static final long LONGEST_MS = 60_000;

    @TempDir private Path folder;

    @Test
    void shouldPrintNothingButTheResultAsJson() {
        final Launch.Outcome outcome =
                tickmark(
                                "latency --channel udp://127.0.0.1:0 --sizes 64,128 --samples 200"
                                        + " --warm-up 100ms --no-noise --json")
                        .run();
        final RunResult result = ResultJson.read(outcome.out(), "standard output");
        assertThat(result.verdict()).as(outcome.out()).isEqualTo(Verdict.PASS);
        assertThat(result.trials()).extracting(TrialResult::payloadBytes).containsExactly(64, 128);
        assertThat(result.trials()).allSatisfy(row -> assertThat(row.received()).isEqualTo(200));
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void shouldLeaveAResultFolderWhereTheUserStands() throws IOException {
        final Launch.Outcome outcome =
                tickmark("stream --channel shm: --messages 1000 --jvm-warm-up 0 --no-noise").run();
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).contains("actual_sends=1000", "Passed.");
        assertThat(outcome.err()).contains("1 trial, about ");
        final Path results = onlyChild(folder.resolve("results"));
        assertThat(results.getFileName().toString()).endsWith("_stream");
        assertThat(results)
                .isDirectoryContaining("glob:**/result.json")
                .isDirectoryContaining("glob:**/plan.yaml")
                .isDirectoryContaining("glob:**/report.html");
        assertThat(outcome.out()).contains(folder.relativize(results).toString());
    }

    @Test
    void shouldSayOnlyTheVerdictWhenQuiet() {
        final Launch.Outcome outcome =
                tickmark(
                                "stream --channel shm: --messages 1000 --jvm-warm-up 0 --no-noise --quiet --out there")
                        .run();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("Passed.").doesNotContain("-----");
        assertThat(folder.resolve("there/result.json")).exists();
    }

    @Test
    void shouldMeasureWithOneSideEachByHand() throws Exception {
        final String channel = "shm://tickmark-by-hand-" + ProcessHandle.current().pid();
        final Path out = folder.resolve("sub.out");
        final Path err = folder.resolve("sub.err");
        final Process subscriber =
                tickmark("latency sub --channel " + channel + " -cookie 1 --json").start(out, err);
        try {
            final Launch.Outcome publisher =
                    tickmark(
                                    "latency pub --channel "
                                            + channel
                                            + " -subscribers 1 -numIter 100 -minSize 16 -maxSize 32"
                                            + " --warm-up 0 --json")
                            .run();
            final RunResult sent = ResultJson.read(publisher.out(), "publisher");
            assertThat(sent.trials()).extracting(TrialResult::payloadBytes).containsExactly(16, 32);
            assertThat(sent.verdict()).isEqualTo(Verdict.PASS);
            assertThat(publisher.err()).contains("Waiting for 1 receiver");
            assertThat(subscriber.waitFor(LONGEST_MS, TimeUnit.MILLISECONDS)).isTrue();
            assertThat(Files.readString(err)).isEmpty();
            assertThat(subscriber.exitValue()).isZero();
            assertThat(ResultJson.read(Files.readString(out), "subscriber").trials())
                    .allSatisfy(row -> assertThat(row.received()).isEqualTo(100));
        } finally {
            subscriber.destroyForcibly();
        }
    }

    @Test
    void shouldKeepWhatWasMeasuredWhenItIsInterrupted() throws Exception {
        final Path out = folder.resolve("run.out");
        final Path err = folder.resolve("run.err");
        final Process run =
                tickmark(
                                "stream --channel shm: --rate 1000 --duration 60s --jvm-warm-up 0 --no-noise --verbose")
                        .start(out, err);
        try {
            // The launcher became Java, and its role processes say how far they are.
            for (long waitedMs = 0;
                    !Files.readString(err).contains("stream-sub-1 step 0 {received=");
                    waitedMs += 50) {
                assertThat(waitedMs).as(Files.readString(err)).isLessThan(LONGEST_MS);
                assertThat(run.isAlive()).as(Files.readString(err)).isTrue();
                Thread.sleep(50);
            }
            final List<ProcessHandle> roles = run.descendants().toList();
            assertThat(roles).hasSize(2);
            run.destroy();
            assertThat(run.waitFor(LONGEST_MS, TimeUnit.MILLISECONDS)).isTrue();
            assertThat(run.exitValue()).isEqualTo(1);
            assertThat(Files.readString(err))
                    .contains("tickmark: stopping; what was measured so far is kept.");
            final RunResult kept =
                    ResultJson.read(onlyChild(folder.resolve("results")).resolve("result.json"));
            assertThat(kept.verdict()).isEqualTo(Verdict.VOID);
            assertThat(kept.trials().getFirst().received()).isPositive();
            assertThat(roles).noneMatch(ProcessHandle::isAlive);
        } finally {
            run.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latency pub -domainId 88 -nic 192.0.2.1 -transport 2 -peer shmem:// -subscribers 4 -numIter 100000 -reliable",
                "latency sub -domainId 88 -cookie 4 -nic 192.0.2.4 -transport 2 -peer shmem:// -reliable",
                "latency pub -domainId 88 -nic 192.0.2.1 -transport 1 -peer 192.0.2.2 -peer 192.0.2.3"
                        + " -subscribers 2 -numIter 100000 -mcast_rcv_addr 225.1.2.3 -multicast_ttl 1",
                "latency sub -domainId 88 -cookie 1 -nic 192.0.2.2 -noecho -transport 1 -peer 192.0.2.1"
                        + " -mcast_rcv_addr 225.3.2.1 -multicast_ttl 1",
            })
    void shouldNameTheMissingEngineOfALineOfTheDdsTest(final String line) {
        shouldMiss(line, "DDS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stream pub -a 1 -x um.xml -m 700 -n 50000000 -r 999999999 -t topic1 -w 15,5",
                "stream pub -a 1 -x um.xml -m 1420 -n 25000000 -r 750000 -t topic1,topic2,topic3 -w 15,5 -p r",
                "stream pub -c um.cfg -c more.cfg -g -H 100,50 -l 2000 -L 5 -m 64 -n 1000 -p s -r 1000 -t topic1",
                "stream sub -x um.xml -a 2 -t topic1,topic2,topic3,topic1abc -p r",
                "stream sub -c um.cfg -E -s 100 -t topic1",
            })
    void shouldNameTheMissingEngineOfALineOfTheStreamingTest(final String line) {
        shouldMiss(line, "Ultra Messaging");
    }

    private void shouldMiss(final String line, final String engine) {
        final Launch.Outcome outcome = tickmark(line).run();
        assertThat(outcome.errLines())
                .singleElement()
                .asString()
                .startsWith("tickmark: ")
                .contains(engine, "missing");
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latency --chanel shm:",
                "latency --channel nonesuch://here",
                "latency --channel udp",
                "latency --samples ten",
                "stream --rate -5",
                "stream --duration 5",
                "run nonesuch",
                "run nonesuch.yaml",
                "report",
                "report nonesuch",
                "help nonesuch",
            })
    void shouldExplainBadUsageInOneSentence(final String line) {
        final Launch.Outcome outcome = tickmark(line).run();
        assertThat(outcome.errLines()).singleElement().asString().matches("tickmark: .*[.?]");
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void shouldFitOnATerminalOfTwentyColumns() {
        final String line =
                "stty cols 20; '"
                        + Launch.ROOT.resolve("tickmark")
                        + "' stream --channel shm: --messages 1000 --jvm-warm-up 0 --no-noise";
        final Launch.Outcome outcome =
                Launch.of(Path.of("/usr/bin/script"), "-qec", line, "/dev/null")
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never")
                        .with("TERM", "xterm")
                        .with("NO_COLOR", "1")
                        .in(folder)
                        .run();
        assertThat(outcome.exitCode()).as(outcome.out()).isZero();
        assertThat(outcome.out()).contains("Passed.").doesNotContain("\u001b[1");
    }

    private Launch tickmark(final String line) {
        return Launch.tickmark(line.split(" ")).in(folder);
    }

    private static Path onlyChild(final Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            final List<Path> all = children.toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }
}
