package io.tickmark.kernel.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatencySummaryTest {
    @Test
    void shouldTakeEveryFigureFromTheHistogram() {
        final Histogram histogram = new Histogram(3);
        for (int ns = 1; ns <= 1_000; ns++) {
            histogram.recordValue(ns);
        }

        final LatencySummary summary = LatencySummary.of(histogram);

        assertThat(summary.count()).isEqualTo(1_000);
        assertThat(summary.min()).isEqualTo(1);
        assertThat(summary.mean()).isCloseTo(500.5, within(0.5));
        assertThat(summary.stdev()).isCloseTo(288.7, within(0.5));
        assertThat(summary.p50()).isEqualTo(500);
        assertThat(summary.p90()).isEqualTo(900);
        assertThat(summary.p99()).isEqualTo(990);
        assertThat(summary.p999()).isEqualTo(999);
        assertThat(summary.p9999()).isEqualTo(1_000);
        assertThat(summary.max()).isEqualTo(1_000);
    }
}
