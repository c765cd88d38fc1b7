package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatencyRecorderTest {
    private final LatencyRecorder recorder = new LatencyRecorder("roundTripNs");

    @Test
    void shouldRecordEverythingFromOneNanosecondToOneHour() {
        recorder.record(1);
        recorder.record(LatencyRecorder.HIGHEST_NS);

        final Histogram interval = recorder.drain();
        assertThat(interval.getTotalCount()).isEqualTo(2);
        assertThat(interval.getMinValue()).isEqualTo(1);
        assertThat(interval.getMaxValue()).isGreaterThanOrEqualTo(LatencyRecorder.HIGHEST_NS);
        assertThat(recorder.notPositive()).isZero();
        assertThat(recorder.outOfRange()).isZero();
    }

    @Test
    void shouldCountWhatItCannotRecord() {
        recorder.record(0);
        recorder.record(Long.MIN_VALUE);
        recorder.record(LatencyRecorder.HIGHEST_NS + 1);

        assertThat(recorder.drain().getTotalCount()).isZero();
        assertThat(recorder.notPositive()).isEqualTo(2);
        assertThat(recorder.outOfRange()).isEqualTo(1);
    }

    @Test
    void shouldRecordOneLatencyOfSeveralMessages() {
        recorder.record(5, 3);
        recorder.record(0, 4);
        recorder.record(LatencyRecorder.HIGHEST_NS + 1, 2);

        final Histogram interval = recorder.drain();
        assertThat(interval.getTotalCount()).isEqualTo(3);
        assertThat(interval.getCountAtValue(5)).isEqualTo(3);
        assertThat(recorder.notPositive()).isEqualTo(4);
        assertThat(recorder.outOfRange()).isEqualTo(2);
    }

    @Test
    void shouldGiveEachLatencyInOneIntervalOnly() {
        recorder.record(5);
        final Histogram first = recorder.drain();
        recorder.record(6);
        final Histogram second = recorder.drain();

        assertThat(first.getMaxValue()).isEqualTo(5);
        assertThat(second.getMaxValue()).isEqualTo(6);
        assertThat(second.getTotalCount()).isEqualTo(1);
    }

    @Test
    void shouldUseGivenBackHistogramsAgain() {
        recorder.record(5);
        final Histogram lent = recorder.drain();
        recorder.recycle(lent);
        recorder.record(6);
        recorder.recycle(recorder.drain());
        recorder.record(7);

        final Histogram again = recorder.drain();
        assertThat(again).isSameAs(lent);
        assertThat(again.getTotalCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepThreeDigits() {
        for (long ns = 1; ns < LatencyRecorder.HIGHEST_NS; ns *= 7) {
            recorder.record(ns);
            final Histogram interval = recorder.drain();
            assertThat(Math.abs(interval.getMaxValue() - ns)).isLessThanOrEqualTo(ns / 1000);
        }
    }

    /** HdrHistogram itself says where each value belongs. */
    @Test
    void shouldCountEachValueWhereAnHdrHistogramDoes() {
        final Histogram expected = LatencyRecorder.newHistogram();
        final Random random = new Random(3);
        for (int bits = 1; bits < 42; bits++) {
            for (int i = 0; i < 2_000; i++) {
                record(expected, (random.nextLong() >>> 1 >>> 63 - bits) + 1);
            }
            for (final long edge : new long[] {-1, 0, 1}) {
                record(expected, Math.max(1, (1L << bits) + edge));
            }
        }

        final Histogram recorded = recorder.drain();
        assertThat(recorded).isEqualTo(expected);
        assertThat(recorded.getMaxValue()).isEqualTo(expected.getMaxValue());
        assertThat(recorded.getMinNonZeroValue()).isEqualTo(expected.getMinNonZeroValue());
    }

    private void record(final Histogram histogram, final long ns) {
        if (ns <= LatencyRecorder.HIGHEST_NS) {
            histogram.recordValue(ns);
        }
        recorder.record(ns);
    }

    @Test
    void shouldLoseNothingThatIsRecordedWhileItIsDrained() throws InterruptedException {
        final int messages = 2_000_000;
        final Thread writer =
                new Thread(() -> {
                    for (int i = 1; i <= messages; i++) {
                        recorder.record(i);
                    }
                });
        writer.start();
        final Histogram all = LatencyRecorder.newHistogram();
        while (writer.isAlive()) {
            final Histogram interval = recorder.drain();
            all.add(interval);
            recorder.recycle(interval);
        }
        writer.join();
        all.add(recorder.drain());

        final Histogram expected = LatencyRecorder.newHistogram();
        for (int i = 1; i <= messages; i++) {
            expected.recordValue(i);
        }
        assertThat(all).isEqualTo(expected);
    }
}
