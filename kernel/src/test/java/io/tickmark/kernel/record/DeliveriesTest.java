package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Latencies;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final RoleRecording recording = RoleRecording.inMemory(() -> 0);

    private static void arrive(final LatencyRecorder recorder, final long dueMs, final long atMs) {
        arrive(recorder, 0, dueMs, atMs);
    }

    private static void arrive(
            final LatencyRecorder recorder, final int stream, final long dueMs, final long atMs) {
        recorder.recordDelivery(dueMs * MS, atMs * MS, stream);
    }

    private List<Deliveries.AfterFault> kept() {
        return recording.deliveries().get(Latencies.RESPONSE_NS);
    }

    /** The first messages after a fault that is done at that time. */
    private Optional<Deliveries.FirstMessages> first(final long doneMs) {
        return kept().getFirst().first().stream()
                .filter(each -> each.earliestDueNs() >= doneMs * MS)
                .findFirst();
    }

    private static Deliveries.FirstMessages first(
            final long earliestDueMs, final long dueMs, final long atMs, final int streams) {
        return new Deliveries.FirstMessages(earliestDueMs * MS, dueMs * MS, atMs * MS, streams);
    }

    @Test
    void shouldKeepWhenTheFirstMessageOfEachMillisecondAfterAPlannedFaultArrived() {
        final LatencyRecorder before = recording.latency(Latencies.RESPONSE_NS);
        recording.watchFaults(3000 * MS, 9000 * MS);
        recording.beginStep(2, "step");
        arrive(before, 2999, 3000);
        arrive(before, 3000, 3001);
        arrive(before, 3000, 3002);
        arrive(before, 3007, 3400);
        arrive(before, 6000, 6001);
        arrive(before, 6001, 6002);
        recording.latency(Latencies.STABLE_NS);

        assertThat(recording.deliveries())
                .as("a latency that was never recorded tells nothing")
                .containsOnlyKeys(Latencies.RESPONSE_NS);
        assertThat(kept())
                .containsExactly(
                        new Deliveries.AfterFault(
                                2,
                                1,
                                0,
                                List.of(
                                        first(3000, 3000, 3001, 1),
                                        first(3007, 3007, 3400, 1),
                                        first(6000, 6000, 6001, 1))),
                        new Deliveries.AfterFault(-1, 0, 0, List.of()));
    }

    /** The topic that came through at once had hidden that the other was away for five seconds. */
    @Test
    void shouldWaitForTheLastOfSeveralTopics() {
        recording.watchFaults(3000 * MS);
        final LatencyRecorder recorder = recording.latency(Latencies.RESPONSE_NS).ofStreams(2);
        arrive(recorder, 0, 2999, 2999);
        arrive(recorder, 1, 2999, 2999);
        arrive(recorder, 1, 3000, 3001);
        arrive(recorder, 1, 7999, 8000);
        arrive(recorder, 0, 3000, 8000);

        assertThat(first(3000)).hasValue(first(3000, 3000, 8000, 2));
        assertThat(kept().getFirst().streams()).isEqualTo(2);
    }

    /** One that ended before is not missed, and one that begins later shows nothing. */
    @Test
    void shouldMissEachStreamThatWasThereBeforeAndNoOther() {
        final LatencyRecorder recorder = recording.latency(Latencies.RESPONSE_NS);
        recording.watchFaults(3000 * MS);
        recorder.ofStreams(4);
        arrive(recorder, 3, 999, 999);
        arrive(recorder, 0, 1000, 1000);
        arrive(recorder, 1, 2999, 2999);
        arrive(recorder, 1, 3010, 3011);
        arrive(recorder, 2, 3011, 9000);

        assertThat(kept())
                .containsExactly(
                        new Deliveries.AfterFault(-1, 2, 0, List.of(first(3010, 3010, 3011, 1))));
    }

    /** The fault came shortly before the end: by its interval stream 1 had nothing to send. */
    @Test
    void shouldNotMissAStreamOfWhichNothingWasDueAnyMore() {
        final LatencyRecorder recorder = recording.latency(Latencies.RESPONSE_NS);
        recording.watchFaults(3000 * MS);
        recorder.ofStreams(3);
        for (int stream = 0; stream < 3; stream++) {
            arrive(recorder, stream, 1500 + 100 * stream, 2000);
            arrive(recorder, stream, 2500 + 100 * stream, 2900);
        }
        arrive(recorder, 0, 3500, 3501); // the next of stream 1 is due at 3600

        assertThat(kept().getFirst().streams()).isEqualTo(1);

        arrive(recorder, 2, 3700, 3701);

        assertThat(kept().getFirst().streams()).as("stream 1 is missed now").isEqualTo(3);
    }

    /** However long it is to the last messages of the others. */
    @Test
    void shouldNotMissAStreamThatHasEnded() {
        final LatencyRecorder recorder = recording.latency(Latencies.RESPONSE_NS);
        recording.watchFaults(3000 * MS);
        recorder.ofStreams(3);
        arrive(recorder, 0, 2500, 2501);
        arrive(recorder, 1, 2500, 2501);
        recorder.ended(1);
        recorder.ended(2); // of which nothing has ever come
        arrive(recorder, 0, 3500, 3501);

        assertThat(kept().getFirst().streams()).isEqualTo(1);
        assertThat(kept().getFirst().notDue()).isEqualTo(2);

        arrive(recorder, 1, 2600, 2601);

        assertThat(kept().getFirst().streams()).as("it has begun anew").isEqualTo(2);
        recorder.ended(0);
        assertThat(kept().getFirst().streams()).as("it has delivered").isEqualTo(2);
    }

    @Test
    void shouldMissNothingWhereEveryStreamHasEnded() {
        final LatencyRecorder recorder = recording.latency(Latencies.RESPONSE_NS);
        recording.watchFaults(3000 * MS);
        arrive(recorder, 2500, 2501);
        recorder.ended(0);

        assertThat(kept()).containsExactly(new Deliveries.AfterFault(-1, 0, 1, List.of()));
    }

    /** The one that is late at first is not the one that is late for a fault done later. */
    @Test
    void shouldKeepTheFirstMessagesAfterWheneverTheFaultWasDone() {
        final LatencyRecorder recorder = recording.latency(Latencies.RESPONSE_NS).ofStreams(2);
        recording.watchFaults(3000 * MS);
        arrive(recorder, 0, 3000, 3100);
        arrive(recorder, 1, 3001, 3200);
        arrive(recorder, 1, 3020, 3201);
        arrive(recorder, 0, 3050, 3300);
        arrive(recorder, 1, 3051, 3301);

        assertThat(first(3000)).hasValue(first(3000, 3001, 3200, 2));
        assertThat(first(3001)).hasValue(first(3001, 3050, 3300, 2));
        assertThat(first(3020)).hasValue(first(3020, 3050, 3300, 2));
        assertThat(first(3021)).hasValue(first(3050, 3051, 3301, 2));
        assertThat(first(3051)).hasValue(first(3051, 3051, 3301, 1));
        assertThat(first(3052)).isEmpty();
    }

    @Test
    void shouldKeepNothingOfWhatIsNoDelivery() {
        recording.watchFaults(3000 * MS);
        final LatencyRecorder recorder = recording.latency(Latencies.RESPONSE_NS);
        recorder.record(MS);
        recorder.record(MS, 2);

        assertThat(recording.deliveries()).isEmpty();
    }

    @Test
    void shouldKeepNothingWhereNoFaultIsPlanned() {
        arrive(recording.latency(Latencies.RESPONSE_NS), 1, 2);

        assertThat(recording.deliveries()).isEmpty();
    }
}
