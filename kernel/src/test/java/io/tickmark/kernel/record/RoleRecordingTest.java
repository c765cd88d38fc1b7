package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.record.Progress.ProgressListener;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

final class RoleRecordingTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final VirtualClock clock = new VirtualClock(5 * SECOND_NS);

    private RoleRecording recording(
            final ResourceSource resources, final ProgressListener listener) {
        return new RoleRecording(
                new RecordingOptions(Optional.empty(), 1, clock, () -> 0L, resources, listener));
    }

    @Test
    void shouldAddIntervalsUpToTheStep() {
        try (RoleRecording recording = RoleRecording.inMemory(clock)) {
            final LatencyRecorder latency = recording.latency("roundTripNs");
            recording.beginStep(0, "64B");
            latency.record(10);
            recording.report();
            latency.record(20);
            recording.report();
            latency.record(30);

            final StepRecording step = recording.endStep();

            assertThat(step.latencies()).containsOnlyKeys("roundTripNs");
            assertThat(step.latencies().get("roundTripNs").getTotalCount()).isEqualTo(3);
            assertThat(step.latencies().get("roundTripNs").getMinValue()).isEqualTo(10);
            assertThat(step.latencies().get("roundTripNs").getMaxValue()).isEqualTo(30);
        }
    }

    @Test
    void shouldForgetWhatIsRecordedOutsideAStep() {
        try (RoleRecording recording = RoleRecording.inMemory(clock)) {
            final LatencyRecorder latency = recording.latency("roundTripNs");
            latency.record(10);
            latency.record(-1);
            recording.beginStep(0, "64B");
            latency.record(20);
            assertThat(recording.endStep().counts()).containsEntry(Counts.NOT_POSITIVE, 0L);
            latency.record(30);
            recording.report();
            recording.beginStep(1, "128B");

            assertThat(recording.endStep().latencies()).isEmpty();
        }
    }

    @Test
    void shouldCountPerStepWhatDoesNotFitAHistogram() {
        try (RoleRecording recording = RoleRecording.inMemory(clock)) {
            final LatencyRecorder response = recording.latency("responseNs");
            final LatencyRecorder service = recording.latency("serviceNs");
            recording.beginStep(0, "");
            response.record(0);
            service.record(-5);
            service.record(LatencyRecorder.HIGHEST_NS + 1);
            final StepRecording first = recording.endStep();
            recording.beginStep(1, "");
            response.record(0);
            final StepRecording second = recording.endStep();

            assertThat(first.counts())
                    .isEqualTo(
                            Map.of(
                                    Counts.NOT_POSITIVE,
                                    2L,
                                    "responseNs.latencyNotPositive",
                                    1L,
                                    "serviceNs.latencyNotPositive",
                                    1L,
                                    Counts.OUT_OF_RANGE,
                                    1L,
                                    "serviceNs.latencyOutOfRange",
                                    1L));
            assertThat(second.counts())
                    .isEqualTo(
                            Map.of(
                                    Counts.NOT_POSITIVE,
                                    1L,
                                    "responseNs.latencyNotPositive",
                                    1L,
                                    Counts.OUT_OF_RANGE,
                                    0L));
        }
    }

    /** As their histograms are. */
    @Test
    void shouldJoinWhatTheLoopsOfARoleCouldNotTime() {
        try (RoleRecording recording = RoleRecording.inMemory(clock)) {
            recording.beginStep(0, "");
            recording.latency("responseNs").record(0);
            recording.latency("responseNs-2").record(-1);

            assertThat(recording.endStep().counts())
                    .isEqualTo(
                            Map.of(
                                    Counts.NOT_POSITIVE,
                                    2L,
                                    "responseNs.latencyNotPositive",
                                    2L,
                                    Counts.OUT_OF_RANGE,
                                    0L));
        }
    }

    @Test
    void shouldSayNothingOfLatenciesWhereNoneAreRecorded() {
        try (RoleRecording recording = RoleRecording.inMemory(clock)) {
            recording.beginStep(0, "");

            assertThat(recording.endStep().counts()).isEmpty();
        }
    }

    @Test
    void shouldGiveTheSameRecorderForTheSameName() {
        try (RoleRecording recording = RoleRecording.inMemory(clock)) {
            assertThat(recording.latency("sendNs")).isSameAs(recording.latency("sendNs"));
            assertThat(recording.counter("sent")).isSameAs(recording.counter("sent"));
            assertThat(recording.latencyLog("sendNs")).isSameAs(recording.latencyLog("sendNs"));
            assertThatThrownBy(() -> recording.latency("send ns, really"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldLogNoLatenciesWithoutFiles() {
        try (RoleRecording recording = RoleRecording.inMemory(clock)) {
            final LatencyLog log = recording.latencyLog("sendNs");
            for (int i = 0; i < 1_000_000; i++) {
                log.log(1, 2, 1, 1, i);
            }

            assertThat(log.notLogged()).isZero();
        }
    }

    @Test
    void shouldLoseNothingWhileAnotherThreadDrains() throws InterruptedException {
        try (RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE)) {
            final LatencyRecorder latency = recording.latency("roundTripNs");
            final Counter sent = recording.counter("sent");
            final int count = 200_000;
            final StepRecording[] step = new StepRecording[1];
            final Thread writer =
                    new Thread(() -> {
                        recording.beginStep(0, "");
                        for (int i = 1; i <= count; i++) {
                            latency.record(i);
                            sent.increment();
                        }
                        step[0] = recording.endStep();
                    });
            writer.start();
            while (writer.isAlive()) {
                recording.report();
                writer.join(1);
            }

            assertThat(step[0].latencies().get("roundTripNs").getTotalCount()).isEqualTo(count);
            assertThat(sent.get()).isEqualTo(count);
        }
    }

    @Test
    void shouldReportToItsListenerHowFarItIs() {
        final List<Progress> heard = new ArrayList<>();
        try (RoleRecording recording = recording(ResourceSource.NONE, heard::add)) {
            recording.report();
            recording.counter("sent").add(3);
            recording.beginStep(2, "64B");
            clock.advance(SECOND_NS);
            recording.counter("sent").add(4);
            recording.report();
            recording.endStep();
        }

        assertThat(heard)
                .containsExactly(
                        progress(-1, "", false, 0, Map.of()),
                        progress(2, "64B", true, SECOND_NS, Map.of("sent", 7L)),
                        progress(2, "64B", false, SECOND_NS, Map.of("sent", 7L)));
    }

    private static Progress progress(
            final int step,
            final String label,
            final boolean inStep,
            final long elapsedNs,
            final Map<String, Long> counters) {
        return new Progress(step, label, inStep, elapsedNs, counters, Map.of(), Map.of());
    }

    @Test
    void shouldReportLatenciesOnceAndGaugesAsTheyAre() {
        final List<Progress> heard = new ArrayList<>();
        try (RoleRecording recording = recording(ResourceSource.NONE, heard::add)) {
            final LatencyRecorder latency = recording.latency("sendNs");
            recording.gauge("lagNs").set(7);
            recording.beginStep(0, "");
            latency.record(1_000);
            recording.report();
            latency.record(3_000);
            recording.endStep(); // a step that ends between two lines is in the next
            recording.report();
        }

        assertThat(heard.getFirst().gauges()).containsExactly(Map.entry("lagNs", 7L));
        assertThat(heard)
                .extracting(progress -> progress.latencies().get("sendNs"))
                .extracting(interval -> interval == null ? 0 : interval.maxNs())
                .containsExactly(1_000L, 3_001L, 0L);
    }

    @Test
    void shouldGoOnWhenItsListenerFails() {
        final RoleRecording recording =
                recording(
                        ResourceSource.NONE,
                        progress -> {
                            throw new IllegalStateException("pipe closed");
                        });
        recording.latency("sendNs");
        recording.beginStep(0, "");
        recording.latency("sendNs").record(5);
        recording.report();
        recording.report();

        assertThat(recording.endStep().latencies()).containsKey("sendNs");
        recording.close();
        assertThat(recording.warnings())
                .singleElement()
                .asString()
                .contains("3 times", "pipe closed");
    }

    @Test
    void shouldStopItsReporterWhenItIsClosed() {
        final RoleRecording recording = RoleRecording.inMemory(SystemNanoClock.INSTANCE);
        recording.start();
        recording.close();
        recording.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("reporter"));
        assertThatThrownBy(recording::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseAFolderThatIsNotThere() {
        final RecordingOptions options =
                new RecordingOptions(
                        Optional.of(java.nio.file.Path.of("/nowhere/at/all")),
                        1,
                        clock,
                        () -> 0L,
                        ResourceSource.NONE,
                        progress -> {});

        assertThatThrownBy(() -> new RoleRecording(options))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("/nowhere/at/all");
    }
}
