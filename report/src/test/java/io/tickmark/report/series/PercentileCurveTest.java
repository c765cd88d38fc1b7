package io.tickmark.report.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PercentileCurveTest {
    @Test
    void shouldStandAtTheNines() {
        final Histogram histogram = new Histogram(5);
        for (int ns = 1; ns <= 10_000; ns++) {
            histogram.recordValue(ns);
        }

        final PercentileCurve curve = PercentileCurve.of(histogram);

        assertThat(curve.count()).isEqualTo(10_000);
        assertThat(curve.ns()).hasSize(61);
        assertThat(curve.ns().get(0)).isEqualTo(1);
        assertThat(curve.ns().get(20)).isEqualTo(9_000);
        assertThat(curve.ns().get(40)).isEqualTo(9_900);
        assertThat(curve.ns().get(60)).isEqualTo(9_990);
        assertThat(curve.maxNs()).isEqualTo(10_000);
    }

    @Test
    void shouldStayShortForBillionsOfLatencies() {
        final Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(100, 5_000_000_000L);

        assertThat(PercentileCurve.of(histogram).ns()).hasSizeLessThan(200);
    }

    @Test
    void shouldHaveOnePointForTenLatenciesAndNoneForFewer() {
        final Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(42, 9);

        assertThat(PercentileCurve.of(histogram).ns()).isEmpty();
        histogram.recordValue(42);
        assertThat(PercentileCurve.of(histogram).ns()).containsExactly(42L);
    }
}
