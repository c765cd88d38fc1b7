package io.tickmark.report.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepTimesTest {
    private final StepTimes times = new StepTimes();

    @Test
    void shouldReachFromTheFirstRoleToTheLast() {
        times.add(0, 1_000, 2_000);
        times.add(0, 900, 1_500);

        assertThat(times.spans()).containsExactly(new StepTimes.Span(0, 900, 2_000));
    }

    @Test
    void shouldEndWhereTheNextBegins() {
        times.add(1, 1_950, 4_000);
        times.add(0, 900, 2_000);

        assertThat(times.spans())
                .containsExactly(
                        new StepTimes.Span(0, 900, 1_950), new StepTimes.Span(1, 1_950, 4_000));
    }
}
