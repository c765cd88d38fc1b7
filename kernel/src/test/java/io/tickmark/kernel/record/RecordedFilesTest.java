package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.record.Progress.ProgressListener;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.time.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordedFilesTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long EPOCH_NS = 1_790_000_000L * SECOND_NS;
    private static final ResourceSource RESOURCES =
            new ResourceSource() {
                @Override
                public double cpuPercent() {
                    return 12.5;
                }

                @Override
                public long residentBytes() {
                    return 4096;
                }
            };

    @TempDir private Path directory;
    private final VirtualClock clock = new VirtualClock(7);

    private RoleRecording recording(final int repeat) {
        return new RoleRecording(
                new RecordingOptions(
                        Optional.of(directory),
                        repeat,
                        clock,
                        () -> EPOCH_NS,
                        RESOURCES,
                        progress -> {}));
    }

    private List<String> lines(final String file) throws IOException {
        return Files.readAllLines(directory.resolve(file));
    }

    /** Two seconds of 100 and 50 messages, with a latency of 1000 ns and one of 2000 ns. */
    private void measure(final RoleRecording recording) {
        final Counter sent = recording.counter("sent");
        final LatencyRecorder latency = recording.latency("roundTripNs");
        recording.beginStep(0, "64B, small");
        sent.add(100);
        latency.record(1000);
        clock.advance(SECOND_NS);
        recording.report();
        sent.add(50);
        latency.record(2000);
        clock.advance(SECOND_NS / 2);
        recording.endStep();
    }

    @Test
    void shouldLeaveBothFilesOfARoleWithoutSteps() throws IOException {
        try (RoleRecording recording = recording(1)) {
            recording.counter("forwarded").add(3);
            clock.advance(SECOND_NS);
            recording.report();
        }
        recording(2).close();

        assertThat(lines(RoleFiles.STATS))
                .containsExactly("time,repeat,step,label,seconds,cpuPercent,residentBytes");
        assertThat(lines(RoleFiles.HISTOGRAMS))
                .hasSize(4)
                .last()
                .asString()
                .startsWith("\"StartTimestamp\"");
    }

    @Test
    void shouldWriteOneRowOfStatsForEachInterval() throws IOException {
        try (RoleRecording recording = recording(1)) {
            measure(recording);
        }

        assertThat(lines(RoleFiles.STATS))
                .containsExactly(
                        "time,repeat,step,label,seconds,sent,sentPerSecond,"
                                + "roundTripNs.count,roundTripNs.p50,roundTripNs.p99,roundTripNs.max,cpuPercent,residentBytes",
                        "2026-09-21T14:13:21.000Z,1,0,\"64B, small\",1.000,100,100.000,1,,,1000,12.500,4096",
                        "2026-09-21T14:13:21.500Z,1,0,\"64B, small\",0.500,150,100.000,1,,,2000,12.500,4096");
    }

    @Test
    void shouldWriteHistogramsThatTheStandardReaderReads() throws IOException {
        try (RoleRecording recording = recording(3)) {
            measure(recording);
        }

        final List<EncodableHistogram> read = readHistograms();
        assertThat(read)
                .extracting(EncodableHistogram::getTag)
                .containsExactly("roundTripNs.r3.s0", "roundTripNs.r3.s0");
        assertThat(read.get(0).getStartTimeStamp()).isEqualTo(EPOCH_NS / 1_000_000);
        assertThat(read.get(1).getStartTimeStamp()).isEqualTo(EPOCH_NS / 1_000_000 + 1000);
        assertThat(read.get(1).getEndTimeStamp()).isEqualTo(EPOCH_NS / 1_000_000 + 1500);
        assertThat(((Histogram) read.get(1)).getMaxValue()).isCloseTo(2000, within(2L));
    }

    private List<EncodableHistogram> readHistograms() throws IOException {
        final List<EncodableHistogram> read = new ArrayList<>();
        try (HistogramLogReader reader =
                new HistogramLogReader(directory.resolve(RoleFiles.HISTOGRAMS).toFile())) {
            while (reader.hasNext()) {
                read.add(reader.nextIntervalHistogram());
            }
        }
        return read;
    }

    @Test
    void shouldNotTouchTheDiskWhereTheHotThreadEndsAStep() {
        try (RoleRecording recording = recording(1)) {
            recording.latency("roundTripNs");
            recording.beginStep(0, "");
            recording.latency("roundTripNs").record(5);
            recording.endStep();

            assertThat(directory).isEmptyDirectory();
        }
        assertThat(directory.resolve(RoleFiles.STATS)).exists();
    }

    @Test
    void shouldAppendTheNextRepeatWithoutASecondHead() throws IOException {
        try (RoleRecording recording = recording(1)) {
            measure(recording);
        }
        try (RoleRecording recording = recording(2)) {
            measure(recording);
        }

        assertThat(readHistograms())
                .extracting(EncodableHistogram::getTag)
                .containsExactly(
                        "roundTripNs.r1.s0",
                        "roundTripNs.r1.s0",
                        "roundTripNs.r2.s0",
                        "roundTripNs.r2.s0");
        assertThat(lines(RoleFiles.HISTOGRAMS).stream().filter(line -> line.startsWith("#[Start")))
                .hasSize(1);
        assertThat(lines(RoleFiles.STATS).stream().filter(line -> !line.startsWith("time,")))
                .hasSize(4);
    }

    /** What a reporter does to warm up appears in no file, count or progress. */
    @Test
    void shouldLeaveNothingOfWhatItRehearses() throws Exception {
        final List<Progress> reports = new CopyOnWriteArrayList<>();
        final List<Progress> rehearsed = new CopyOnWriteArrayList<>();
        final ProgressListener listener =
                new ProgressListener() {
                    @Override
                    public void accept(final Progress progress) {
                        reports.add(progress);
                    }

                    @Override
                    public void rehearse(final Progress progress) {
                        rehearsed.add(progress);
                    }
                };
        try (RoleRecording recording =
                new RoleRecording(
                        new RecordingOptions(
                                Optional.of(directory),
                                1,
                                SystemNanoClock.INSTANCE,
                                () -> 0L,
                                ResourceSource.NONE,
                                listener))) {
            final Counter received = recording.counter(Counts.RECEIVED);
            recording.start();
            // at once, and after a second in which it rehearsed
            while (reports.size() < 2 || rehearsed.isEmpty()) {
                Thread.sleep(10);
            }
            assertThat(directory.toFile().list()).containsExactly(RoleFiles.STALLS);
            assertThat(lines(RoleFiles.STALLS))
                    .containsExactly("server,1," + ProcessHandle.current().pid());
            final LatencyRecorder latency = recording.latency("roundTripNs");
            recording.beginStep(0, "64B");
            received.add(3);
            latency.record(7);
            assertThat(recording.endStep().latencies().get("roundTripNs").getTotalCount())
                    .isEqualTo(1);
        }

        assertThat(reports)
                .allSatisfy(
                        progress -> assertThat(progress.counters()).containsOnlyKeys("received"));
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder(RoleFiles.STATS, RoleFiles.HISTOGRAMS, RoleFiles.STALLS);
        assertThat(Files.readAllLines(directory.resolve(RoleFiles.STATS)))
                .allMatch(row -> row.startsWith("time,") || row.contains(",1,0,64B,"))
                .anyMatch(row -> row.contains(",3,"));
        assertThat(Files.readString(directory.resolve(RoleFiles.HISTOGRAMS)))
                .contains("Tag=roundTripNs")
                .doesNotContain("responseNs");
    }

    @Test
    void shouldWriteANewHeaderWhenColumnsAreAdded() throws IOException {
        try (RoleRecording recording = recording(1)) {
            measure(recording);
            recording.counter("timedOut").increment();
            recording.beginStep(1, "");
            clock.advance(SECOND_NS);
            recording.endStep();
        }

        final List<String> stats = lines(RoleFiles.STATS);
        assertThat(stats.get(3)).startsWith("time,").contains(",timedOut,timedOutPerSecond,");
        assertThat(stats.get(4)).contains(",1,0.000,0,,,,12.500,4096");
    }

    @Test
    void shouldBeginANewLineAfterATornOne() throws IOException {
        Files.writeString(directory.resolve(RoleFiles.STATS), "time,torn");
        try (RoleRecording recording = recording(1)) {
            measure(recording);
        }

        assertThat(lines(RoleFiles.STATS).get(0)).isEqualTo("time,torn");
        assertThat(lines(RoleFiles.STATS).get(1)).startsWith("time,repeat,");
    }

    @Test
    void shouldWriteEachLatencyThatIsLogged() throws IOException {
        try (RoleRecording recording = recording(2)) {
            final LatencyLog log = recording.latencyLog("responseNs");
            recording.beginStep(0, "");
            log.log(100, 150, 50, 1, 7);
            recording.report();
            recording.endStep();
            recording.beginStep(1, "");
            log.log(Long.MIN_VALUE, Long.MAX_VALUE, -1, 65_535, -1);
            assertThat(recording.endStep().counts()).containsEntry(Counts.NOT_LOGGED, 0L);
        }

        assertThat(lines(RoleFiles.EACH_LATENCY))
                .containsExactly(
                        "repeat,step,kind,sentNs,receivedNs,latencyNs,source,sequence",
                        "2,0,responseNs,100,150,50,1,7",
                        "2,1,responseNs,-9223372036854775808,9223372036854775807,-1,65535,4294967295");
    }

    @Test
    void shouldNotWriteLatenciesOfTheWarmUp() throws IOException {
        try (RoleRecording recording = recording(1)) {
            final LatencyLog log = recording.latencyLog("responseNs");
            log.log(1, 2, 1, 1, 0);
            recording.beginStep(0, "64B");
            log.log(100, 400, 300, 1, 0);
            recording.endStep();
        }

        assertThat(lines(RoleFiles.EACH_LATENCY))
                .containsExactly(
                        "repeat,step,kind,sentNs,receivedNs,latencyNs,source,sequence",
                        "1,0,responseNs,100,400,300,1,0");
    }

    @Test
    void shouldCountWhatTheLogCouldNotTakeAndNeverWait() throws IOException {
        final int offered = 300_000;
        final RoleRecording recording = recording(1);
        final LatencyLog log = recording.latencyLog("responseNs");
        recording.beginStep(0, "");
        for (int i = 0; i < offered; i++) {
            log.log(i, i + 1, 1, 1, i);
        }
        final long notLogged = recording.endStep().counts().get(Counts.NOT_LOGGED);
        recording.close();

        assertThat(notLogged).isBetween(1L, offered - 1L);
        assertThat(lines(RoleFiles.EACH_LATENCY)).hasSize((int) (1 + offered - notLogged));
        assertThat(recording.warnings())
                .singleElement()
                .asString()
                .contains("lacks " + notLogged + " latencies");
    }

    @Test
    void shouldTakeMoreAfterTheLogWasDrained() throws IOException {
        final int half = 100_000;
        try (RoleRecording recording = recording(1)) {
            final LatencyLog log = recording.latencyLog("responseNs");
            recording.beginStep(0, "");
            for (int i = 0; i < 3 * half; i++) {
                if (i % half == 0) {
                    recording.report();
                }
                log.log(i, i + 1, 1, 1, i);
            }
            assertThat(recording.endStep().counts()).containsEntry(Counts.NOT_LOGGED, 0L);
        }

        final List<String> lines = lines(RoleFiles.EACH_LATENCY);
        assertThat(lines).hasSize(1 + 3 * half);
        assertThat(lines.get(3 * half)).isEqualTo("1,0,responseNs,299999,300000,1,1,299999");
    }

    @Test
    void shouldKeepTheFiguresWhenTheDiskIsFull() throws IOException {
        Files.createSymbolicLink(directory.resolve(RoleFiles.STATS), Path.of("/dev/full"));
        final RoleRecording recording = recording(1);
        final LatencyRecorder latency = recording.latency("roundTripNs");
        final LatencyLog log = recording.latencyLog("roundTripNs");
        recording.beginStep(0, "");
        latency.record(1);
        log.log(1, 2, 1, 1, 0);
        recording.report();
        latency.record(2);
        log.log(1, 3, 2, 1, 1);
        recording.report();

        assertThat(recording.endStep().latencies().get("roundTripNs").getTotalCount()).isEqualTo(2);
        recording.close();
        assertThat(recording.warnings()).hasSize(2);
        assertThat(recording.warnings().get(0))
                .contains("stats.csv could not be written")
                .contains("No space left on device");
        assertThat(recording.warnings().get(1)).contains("lacks 2 latencies");
    }

    @Test
    void shouldKeepTheFiguresWhenAFileCannotBeOpened() throws IOException {
        Files.createDirectory(directory.resolve(RoleFiles.HISTOGRAMS));
        final RoleRecording recording = recording(1);
        measure(recording);
        recording.close();

        assertThat(recording.warnings())
                .singleElement()
                .asString()
                .contains("latency.hlog could not be written");
    }
}
