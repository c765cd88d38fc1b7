package io.tickmark.report.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeanLineTest {
    private final MeanLine line = new MeanLine();

    @Test
    void shouldSumRolesAndWeighRowsByTheirTime() {
        line.add("pub-1", 1_750, 1.0, 100);
        line.add("pub-2", 1_900, 1.0, 50);
        line.add("pub-2", 1_990, 0.25, 100);

        assertThat(line.points()).containsExactly(new MeanLine.Point(750, 100 + 60));
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
