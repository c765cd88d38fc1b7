package io.tickmark.report.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MeanLineTest {
    private final MeanLine line = new MeanLine();

    @Test
    void shouldSumRolesAndWeighRowsByTheirTime() {
        line.add("pub-1", 2_000, 1.0, 100);
        line.add("pub-2", 1_750, 0.75, 50);
        line.add("pub-2", 2_000, 0.25, 90);

        assertThat(line.points()).containsExactly(new MeanLine.Point(1_000, 100 + 60));
    }

    @Test
    void shouldSumRolesWhoseSecondsBeginApart() {
        for (int second = 1; second <= 5; second++) {
            line.add("pub-1", second * 1_000L, 1.0, 100);
            line.add("pub-2", second * 1_000L + (second % 2 == 0 ? 501 : 499), 1.0, 50);
        }

        assertThat(line.points().subList(1, 5))
                .allSatisfy(point -> assertThat(point.value()).isEqualTo(150, within(1e-9)));
    }

    @Test
    void shouldEndWithHostileTimes() {
        line.add("pub-1", Long.MAX_VALUE, 1, 100);
        line.add("pub-1", Long.MIN_VALUE, 1, 100);
        line.add("pub-1", 1_000, 1e300, 100);
        line.add("pub-1", 1_000, 1e15, 100);
        line.add("pub-1", 1_000, 1e-9, 100);

        assertThat(line.points()).hasSizeLessThanOrEqualTo(TimeLine.MAX_POINTS);
    }

    @Test
    void shouldThinByTheMean() {
        for (int second = 1; second <= 1_000; second++) {
            line.add("pub-1", second * 1_000L, 1.0, second % 2 == 0 ? 90 : 110);
        }

        assertThat(line.points()).hasSizeLessThanOrEqualTo(TimeLine.MAX_POINTS);
        assertThat(line.points())
                .allSatisfy(point -> assertThat(point.value()).isBetween(99.0, 101.0));
    }

    @Test
    void shouldPassOverRowsThatMakeNoSense() {
        line.add("pub-1", 1_000, 0, 100);
        line.add("pub-1", 1_000, Double.NaN, 100);
        line.add("pub-1", 1_000, 1, Double.POSITIVE_INFINITY);
        line.add("pub-1", 1_000, 1, -5_004.7);

        assertThat(line.points()).isEmpty();
    }
}
