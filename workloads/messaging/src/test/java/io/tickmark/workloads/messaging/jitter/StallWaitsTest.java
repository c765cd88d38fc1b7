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
    void shouldMakeAMomentWaitForHalfOfTheStallThatItMeets() {
        passes.recordValueWithCount(1_000_000, 20);

        final JitterLoop.StallWaits waits = waits(20 * SECOND_NS);

        // One moment in 1000 meets one and waits 0 to 1 ms; one in 10,000 its last tenth.
        assertThat(waits.meanNs()).isCloseTo(0.001 * 500_000, near(500));
        assertThat(waits.atPercentileNs(99)).hasValue(0);
        assertThat(ns(waits, 99.9)).isCloseTo(0, near(1_000_000));
        assertThat(ns(waits, 99.95)).isCloseTo(500_000, near(500_000));
        assertThat(ns(waits, 99.99)).isCloseTo(900_000, near(900_000));
        assertThat(ns(waits, 100)).isCloseTo(1_000_000, near(1_000_000));
    }

    /** The 99.9th and the 99.99th percentile of a loop were its longest stall or two. */
    @Test
    void shouldReportNoPercentileThatComesFromFewerThanTenStalls() {
        passes.recordValue(15_000_000);
        assertThat(waits(5 * SECOND_NS).atPercentileNs(99.99)).isEmpty();
        assertThat(waits(5 * SECOND_NS).atPercentileNs(99.9)).isEmpty();
        assertThat(waits(5 * SECOND_NS).atPercentileNs(99)).as("meet none").hasValue(0);
        assertThat(waits(5 * SECOND_NS).meanNs()).isPositive();

        passes.recordValueWithCount(15_000_000, 8);
        assertThat(waits(5 * SECOND_NS).atPercentileNs(99.99)).isEmpty();
        passes.recordValue(15_000_000);
        assertThat(waits(5 * SECOND_NS).atPercentileNs(99.99)).as("ten").isPresent();
        passes.recordValueWithCount(15_000_000, 10);
        assertThat(waits(5 * SECOND_NS).atPercentileNs(99.99)).as("twenty").isPresent();
    }

    /** Ten that are shorter than the wait have nothing to do with it. */
    @Test
    void shouldCountOnlyTheStallsThatAreLonger() {
        passes.recordValueWithCount(20_000, 1000);
        passes.recordValue(15_000_000);

        assertThat(waits(5 * SECOND_NS).atPercentileNs(99.99)).isEmpty();
    }

    @Test
    void shouldWeighStallsByTheirLengths() {
        passes.recordValueWithCount(10_000_000, 40); // 4 % of ten seconds
        passes.recordValueWithCount(1_000_000, 500); // 5 %
        passes.recordValueWithCount(100_000, 1000); // 1 %

        final JitterLoop.StallWaits waits = waits(10 * SECOND_NS);

        assertThat(waits.meanNs()).isCloseTo(200_000 + 25_000 + 500, near(225_500));
        // in each second 4 (10 - x) = 1 % of 1000 ms; 4 (10 - x) + 50 (1 - x) = 5 %; and all three
        // kinds = 9.95 %
        assertThat(ns(waits, 99)).isCloseTo(7_500_000, near(7_500_000));
        assertThat(ns(waits, 95)).isCloseTo(40_000_000.0 / 54, near(740_741));
        assertThat(ns(waits, 90.05)).isCloseTo(500_000.0 / 154, near(1_000_000));
        assertThat(ns(waits, 90)).isCloseTo(0, near(1_000_000));
        assertThat(waits.atPercentileNs(50)).hasValue(0);
    }

    @Test
    void shouldExceedEachPercentileAsOftenAsItSays() {
        for (int i = 1; i <= 200; i++) {
            passes.recordValueWithCount(i * STEP_NS, 1 + i % 7);
        }

        final JitterLoop.StallWaits waits = waits();

        for (final double percentile : new double[] {20, 50, 90, 99, 99.9}) {
            final double waitNs = ns(waits, percentile);
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
        assertThat(waits().atPercentileNs(99.99)).hasValue(0);
    }

    private JitterLoop.StallWaits waits() {
        return waits(SECOND_NS);
    }

    private JitterLoop.StallWaits waits(final long watchedNs) {
        return new JitterLoop.StallWaits(passes, 0, FROM_NS, watchedNs);
    }

    private static double ns(final JitterLoop.StallWaits waits, final double percentile) {
        return waits.atPercentileNs(percentile).orElseThrow();
    }

    private static Offset<Double> near(final double ns) {
        return within(ns * 1e-4);
    }
}
