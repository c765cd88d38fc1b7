package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;

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
}
