package io.tickmark.kernel.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Aggregate.Spread;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class SummariesTest {
    @Test
    void shouldMergeHistogramsAndLeaveThemAsTheyAre() {
        final Histogram a = new Histogram(3);
        final Histogram b = new Histogram(3);
        a.recordValue(10);
        b.recordValueWithCount(1_000_000, 3);

        final Histogram sum = Summaries.merge(List.of(a, b));

        assertThat(sum.getTotalCount()).isEqualTo(4);
        assertThat(sum.getMinValue()).isEqualTo(10);
        assertThat(a.getTotalCount()).isEqualTo(1);
        assertThat(b.getTotalCount()).isEqualTo(3);
        assertThatThrownBy(() -> Summaries.merge(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldFindTheMedianOfOddAndEvenNumbers() {
        assertThat(Summaries.median(3, 1, 2)).isEqualTo(2);
        assertThat(Summaries.median(4, 1, 3, 2)).isEqualTo(2.5);
        assertThat(Summaries.median(Double.MAX_VALUE, Double.MAX_VALUE))
                .isEqualTo(Double.MAX_VALUE);
        assertThatThrownBy(Summaries::median).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldLeaveTheValuesInTheirOrder() {
        final double[] values = {3, 1, 2};

        assertThat(Summaries.spread(values)).isEqualTo(new Spread(2, 1, 3));
        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void shouldSayHowFarRepeatsAreApart() {
        assertThat(Summaries.relativeSpread(new Spread(100, 90, 115))).isEqualTo(0.25);
        assertThat(Summaries.relativeSpread(new Spread(-100, -115, -90))).isEqualTo(0.25);
        assertThat(Summaries.relativeSpread(new Spread(0, 0, 0))).isZero();
        assertThat(Summaries.relativeSpread(new Spread(0, 0, 1))).isInfinite();
    }
}
