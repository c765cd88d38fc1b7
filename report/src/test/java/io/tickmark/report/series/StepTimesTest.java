package io.tickmark.report.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepTimesTest {
    private final RepeatSeries.StepTimes times = new RepeatSeries.StepTimes();

    @Test
    void shouldReachFromTheFirstRoleToTheLast() {
        times.add(0, 1_000, 2_000);
        times.add(0, 900, 1_500);

        assertThat(times.spans()).containsExactly(new RepeatSeries.Span(0, 900, 2_000));
    }

    @Test
    void shouldEndWhereTheNextBegins() {
        times.add(1, 1_950, 4_000);
        times.add(0, 900, 2_000);

        assertThat(times.spans())
                .containsExactly(
                        new RepeatSeries.Span(0, 900, 1_950),
                        new RepeatSeries.Span(1, 1_950, 4_000));
    }
}
