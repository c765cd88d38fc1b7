package io.tickmark.workloads.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.StepRecording;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.kernel.time.VirtualClock;
import io.tickmark.workloads.messaging.TestContext;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class OneWayTimesTest {
    private static final long START_NS = 1_000_000;

    private final VirtualClock clock = new VirtualClock(START_NS);
    private final TestContext context = new TestContext(1, 1, clock);
    private final OneWayTimes times = new OneWayTimes(context, false);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);

    private void collect(final long intendedNs, final long sentNs, final int length) {
        Stamp.write(message, 0, intendedNs, 0, 0, 0, 1);
        Stamp.writeSentNs(message, 0, sentNs);
        times.collect(message, 0, length);
    }

    private static Histogram of(final StepRecording recorded, final String latency) {
        return recorded.latencies().get(latency);
    }

    @Test
    void shouldGiveMessagesOfOnePollTheTimeOfTheLast() {
        context.recording().beginStep(0, "");
        collect(START_NS - 100, START_NS - 50, 64);
        collect(START_NS - 100, START_NS - 50, 64);
        collect(START_NS - 60, START_NS - 10, 64);

        times.settle(START_NS + 5);

        final StepRecording recorded = context.recording().endStep();
        assertThat(of(recorded, Latencies.RESPONSE_NS).getCountAtValue(105)).isEqualTo(2);
        assertThat(of(recorded, Latencies.RESPONSE_NS).getCountAtValue(65)).isEqualTo(1);
        assertThat(of(recorded, Latencies.SERVICE_NS).getCountAtValue(55)).isEqualTo(2);
        assertThat(of(recorded, Latencies.SERVICE_NS).getCountAtValue(15)).isEqualTo(1);
        assertThat(of(recorded, Latencies.SERVICE_NS).getTotalCount()).isEqualTo(3);
    }

    @Test
    void shouldRecordNoServiceTimeOfShortMessages() {
        context.recording().beginStep(0, "");
        collect(START_NS - 100, 0, Stamp.SHORT_LENGTH);

        times.settle(START_NS);

        final StepRecording recorded = context.recording().endStep();
        assertThat(of(recorded, Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(1);
        assertThat(recorded.latencies()).doesNotContainKey(Latencies.SERVICE_NS);
    }

    @Test
    void shouldRecordAllHoweverManyDifferentTimesAPollHas() {
        context.recording().beginStep(0, "");
        for (int i = 1; i <= 1000; i++) {
            collect(START_NS - i, START_NS - i, 64);
            clock.advance(1);
        }

        times.settle(clock.nanoTime());
        times.settle(clock.nanoTime());

        final StepRecording recorded = context.recording().endStep();
        assertThat(of(recorded, Latencies.RESPONSE_NS).getTotalCount()).isEqualTo(1000);
        assertThat(of(recorded, Latencies.SERVICE_NS).getTotalCount()).isEqualTo(1000);
    }
}
