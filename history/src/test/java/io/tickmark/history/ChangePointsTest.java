package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ChangePointsTest {
    private static final int SERIES = 200;

    private static double[] series(final SplittableRandom random, final double... levels) {
        final double[] values = new double[levels.length * 20];
        for (int i = 0; i < values.length; i++) {
            values[i] = levels[i / 20] + 0.02 * random.nextGaussian();
        }
        return values;
    }

    @Test
    void shouldFindWhereALevelChanged() {
        final List<Integer> found =
                ChangePoints.of(series(new SplittableRandom(1), 0, 0.1, 0.1, -0.05));

        assertThat(found).hasSize(2);
        assertThat(found.get(0)).isBetween(19, 21);
        assertThat(found.get(1)).isBetween(59, 61);
    }

    @Test
    void shouldFindNearlyEveryChangeOfTwiceTheSpread() {
        final SplittableRandom random = new SplittableRandom(2);
        int found = 0;
        for (int i = 0; i < SERIES; i++) {
            found +=
                    ChangePoints.of(series(random, 0, 0.04)).stream()
                                    .anyMatch(at -> Math.abs(at - 20) <= 3)
                            ? 1
                            : 0;
        }

        assertThat(found).isGreaterThanOrEqualTo(SERIES * 90 / 100);
    }

    @Test
    void shouldSeldomFindAChangeWhereThereIsNone() {
        final SplittableRandom random = new SplittableRandom(3);
        int alarms = 0;
        for (int i = 0; i < SERIES; i++) {
            alarms += ChangePoints.of(series(random, 0, 0)).isEmpty() ? 0 : 1;
        }

        assertThat(alarms).isLessThanOrEqualTo(SERIES * 3 / 100);
    }

    @Test
    void shouldTakeOneOutlierForNoChange() {
        final double[] values = series(new SplittableRandom(4), 0, 0);
        values[25] = 3;

        assertThat(ChangePoints.of(values)).isEmpty();
    }

    @Test
    void shouldSayNothingOfShortAndConstantSeries() {
        assertThat(ChangePoints.of(1, 1, 9, 9, 9)).isEmpty();
        assertThat(ChangePoints.of(new double[50])).isEmpty();
    }

    /** Equal values have one rank, and orders that are as far apart as the first are counted. */
    @Test
    void shouldFindTheChangeOfAFigureOfFewValues() {
        final double[] values = new double[40];
        java.util.Arrays.fill(values, 20, 40, 1);

        assertThat(ChangePoints.of(values)).containsExactly(20);
        assertThat(ChangePoints.of(new double[40])).isEmpty();
        values[3] = 1;
        values[37] = 0;
        assertThat(ChangePoints.of(values)).containsExactly(20);
    }
}
