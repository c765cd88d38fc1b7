package io.tickmark.kernel.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertThat(summary.p50()).hasValue(500);
        assertThat(summary.p90()).hasValue(900);
        assertThat(summary.p95()).hasValue(950);
        assertThat(summary.p99()).hasValue(990);
        assertThat(summary.p999()).as("one value is above it").isEmpty();
        assertThat(summary.p9999()).as("it would be the maximum").isEmpty();
        assertThat(summary.max()).isEqualTo(1_000);
    }

    @ParameterizedTest
    @CsvSource({"50, 20", "90, 100", "95, 200", "99, 1000", "99.9, 10000", "99.99, 100000"})
    void shouldReportAPercentileWithTenValuesAboveItAndNotWithFewer(
            final double percent, final long enough) {
        assertThat(Percentiles.isReportable(enough, percent)).isTrue();
        assertThat(Percentiles.isReportable(enough - 1, percent)).isFalse();
    }

    @Test
    void shouldLeaveOutWhatAnotherVersionWroteOfTooFewValues() {
        final OptionalLong written = OptionalLong.of(7);

        final LatencySummary read =
                new LatencySummary(
                        4_000, 1, 2, 1, written, written, written, written, written, written, 9);

        assertThat(read.p95()).hasValue(7);
        assertThat(read.p99()).hasValue(7);
        assertThat(read.p999()).isEmpty();
        assertThat(read.p9999()).isEmpty();
    }
}
