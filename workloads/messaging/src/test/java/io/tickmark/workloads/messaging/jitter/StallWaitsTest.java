package io.tickmark.workloads.messaging.jitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class StallWaitsTest {
    private static final long FROM_NS = 10_000;
    private static final long STEP_NS = 12_000;
    private static final long SECOND_NS = 1_000_000_000;

    /** Five digits, so that the histogram's own rounding is below what is compared. */
    private final Histogram passes = new Histogram(SECOND_NS, 5);

    @Test
    void shouldMakeAMomentWaitForHalfOfTheOneStallItMeets() {
        passes.recordValue(1_000_000);

        final JitterLoop.StallWaits waits = waits();

        // One moment in 1000 meets it and waits 0 to 1 ms; one in 10,000 its last tenth.
        assertThat(waits.meanNs()).isCloseTo(0.001 * 500_000, near(500));
        assertThat(waits.atPercentileNs(99)).isZero();
        assertThat(waits.atPercentileNs(99.9)).isCloseTo(0, near(1_000_000));
        assertThat(waits.atPercentileNs(99.95)).isCloseTo(500_000, near(500_000));
        assertThat(waits.atPercentileNs(99.99)).isCloseTo(900_000, near(900_000));
        assertThat(waits.atPercentileNs(100)).isCloseTo(1_000_000, near(1_000_000));
    }

    @Test
    void shouldWeighStallsByTheirLengths() {
        passes.recordValueWithCount(10_000_000, 4); // 4 % of the second
        passes.recordValueWithCount(1_000_000, 50); // 5 %
        passes.recordValueWithCount(100_000, 100); // 1 %

        final JitterLoop.StallWaits waits = waits();

        assertThat(waits.meanNs()).isCloseTo(200_000 + 25_000 + 500, near(225_500));
        // 4 (10 - x) = 1 % of 1000 ms; 4 (10 - x) + 50 (1 - x) = 5 %; and all three kinds = 9.95 %
        assertThat(waits.atPercentileNs(99)).isCloseTo(7_500_000, near(7_500_000));
        assertThat(waits.atPercentileNs(95)).isCloseTo(40_000_000.0 / 54, near(740_741));
        assertThat(waits.atPercentileNs(90.05)).isCloseTo(500_000.0 / 154, near(1_000_000));
        assertThat(waits.atPercentileNs(90)).isCloseTo(0, near(1_000_000));
        assertThat(waits.atPercentileNs(50)).isZero();
    }

    @Test
    void shouldExceedEachPercentileAsOftenAsItSays() {
        for (int i = 1; i <= 200; i++) {
            passes.recordValueWithCount(i * STEP_NS, 1 + i % 7);
        }

        final JitterLoop.StallWaits waits = waits();

        for (final double percentile : new double[] {20, 50, 90, 99, 99.9}) {
            final double waitNs = waits.atPercentileNs(percentile);
            double exceededNs = 0;
            for (int i = 1; i <= 200; i++) {
                exceededNs += (1 + i % 7) * Math.max(0, i * (double) STEP_NS - waitNs);
            }
            assertThat(100 - 100 * exceededNs / SECOND_NS).isCloseTo(percentile, within(0.01));
        }
    }

    @Test
    void shouldNotTakeTheLoopsOwnPassesForStalls() {
        passes.recordValueWithCount(50, 1_000_000);
        passes.recordValueWithCount(9_000, 1_000);

        assertThat(waits().meanNs()).isZero();
        assertThat(waits().atPercentileNs(99.99)).isZero();
    }

    private JitterLoop.StallWaits waits() {
        return new JitterLoop.StallWaits(passes, 0, FROM_NS, SECOND_NS);
    }

    private static Offset<Double> near(final double ns) {
        return within(ns * 1e-4);
    }
}
