package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.lab.compare.Comparer.Discoveries;
import org.junit.jupiter.api.Test;

class ContrastTest {
    @Test
    void shouldAgreeWithWelchsTest() {
        final Contrast contrast =
                Contrast.of(
                        new Sample(new double[] {1, 2, 3}, 0, 0),
                        new Sample(new double[] {2, 4, 6}, 0, 0));

        // variances of the means 1/3 and 4/3
        assertThat(contrast.delta()).isEqualTo(2);
        assertThat(contrast.standardError()).isCloseTo(Math.sqrt(5 / 3.0), within(1e-12));
        assertThat(contrast.freedom()).isCloseTo(25 / 8.5, within(1e-9));
        assertThat(contrast.pValue())
                .isCloseTo(2 * (1 - studentCdf(2 / Math.sqrt(5 / 3.0), 25 / 8.5)), within(2e-3));
    }

    /** Integrated by Simpson's rule, as an independent way to the same figure. */
    private static double studentCdf(final double t, final double v) {
        final int steps = 4000;
        final double width = t / steps;
        double sum = 0;
        double whole = 0;
        for (int i = 0; i <= steps; i++) {
            final double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * Math.pow(1 + i * width * i * width / v, -(v + 1) / 2);
        }
        for (int i = 0; i <= 20 * steps; i++) {
            final double weight = i == 0 || i == 20 * steps ? 1 : i % 2 == 1 ? 4 : 2;
            whole += weight * Math.pow(1 + i * 0.01 * i * 0.01 / v, -(v + 1) / 2);
        }
        return 0.5 + sum * width / 3 / (2 * whole * 0.01 / 3);
    }

    @Test
    void shouldNotBeMoreCertainThanTheTimeWithinRepeatsAllows() {
        final Sample lucky = new Sample(new double[] {1, 1, 1}, 0.03, 0);

        assertThat(lucky.varianceOfMean()).isCloseTo(0.01, within(1e-12));
        assertThat(Contrast.of(lucky, lucky).standardError())
                .isCloseTo(Math.sqrt(0.02), within(1e-12));
    }

    @Test
    void shouldAllowEachFigureTheErrorOfBenjaminiAndHochberg() {
        // the example of their paper, section 4.1: four of fifteen at 0.05
        final double[] pValues = {
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0000
        };
        assertThat(Discoveries.errorProbability(pValues, 0.05))
                .isCloseTo(4 * 0.05 / 15, within(1e-12));
        assertThat(Discoveries.errorProbability(new double[] {0.9, 0.8}, 0.05))
                .isCloseTo(0.025, within(1e-12));
    }
}
