package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Latencies;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private long nowNs;
    private final RoleRecording recording = RoleRecording.inMemory(() -> nowNs);

    private void arrive(final LatencyRecorder recorder, final long wantedMs, final long atMs) {
        nowNs = atMs * MS;
        recorder.record((atMs - wantedMs) * MS);
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
        assertThat(recording.deliveries().get(Latencies.RESPONSE_NS))
                .containsExactly(
                        new Deliveries.AfterFault(
                                2,
                                List.of(
                                        3000 * MS, 3001 * MS, 3007 * MS, 3400 * MS, 6000 * MS,
                                        6001 * MS)),
                        new Deliveries.AfterFault(-1, List.of()));
    }

    @Test
    void shouldKeepNothingWhereNoFaultIsPlanned() {
        arrive(recording.latency(Latencies.RESPONSE_NS), 1, 2);

        assertThat(recording.deliveries()).isEmpty();
    }
}
