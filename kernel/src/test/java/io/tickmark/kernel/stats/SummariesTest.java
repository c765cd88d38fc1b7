package io.tickmark.kernel.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Aggregate.Spread;
import org.junit.jupiter.api.Test;

final class SummariesTest {
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
}
