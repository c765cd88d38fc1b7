package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BlockBootstrapTest {
    private static final int BLOCKS = 60;

    /** Seconds whose level varies: each keeps the given part of the one before. */
    private static List<SparseHistogram> seconds(final double kept, final SplittableRandom random) {
        final List<SparseHistogram> blocks = new ArrayList<>();
        final Histogram histogram = new Histogram(3); // used again, as it grows in many steps
        double level = random.nextGaussian();
        for (int i = 0; i < BLOCKS; i++) {
            level = kept * level + Math.sqrt(1 - kept * kept) * random.nextGaussian();
            histogram.reset();
            for (int j = 0; j < 50; j++) {
                histogram.recordValue(
                        Math.round(
                                100_000 * Math.exp(0.02 * level + 0.01 * random.nextGaussian())));
            }
            blocks.add(SparseHistogram.of(histogram));
        }
        return blocks;
    }

    private static double[] trueAndEstimated(final double kept) {
        final SplittableRandom random = new SplittableRandom(1);
        final LatencyFigure median = LatencyFigure.ALL.get(1);
        final int runs = 200;
        double sum = 0;
        double squares = 0;
        double estimated = 0;
        for (int run = 0; run < runs; run++) {
            final List<SparseHistogram> blocks = seconds(kept, random);
            estimated += new BlockBootstrap(blocks).variances(List.of(median), random)[0] / runs;
            final Histogram all = new Histogram(3);
            blocks.forEach(block -> {
                for (int i = 0; i < block.values().length; i++) {
                    all.recordValueWithCount(block.values()[i], block.counts()[i]);
                }
            });
            final double log = Math.log(all.getValueAtPercentile(50));
            sum += log;
            squares += log * log;
        }
        return new double[] {squares / runs - sum / runs * (sum / runs), estimated};
    }

    @Test
    void shouldReportTheVarianceOfIndependentSeconds() {
        final double[] variance = trueAndEstimated(0);

        assertThat(variance[1] / variance[0]).isBetween(0.7, 1.4);
    }

    @Test
    void shouldSeeThatSecondsAreNotIndependent() {
        final double[] variance = trueAndEstimated(0.7);
        final double[] independent = trueAndEstimated(0);

        assertThat(variance[0]).isGreaterThan(3 * independent[0]);
        assertThat(variance[1]).isGreaterThan(2 * independent[1]);
    }

    @Test
    void shouldSayNothingOfAFewSeconds() {
        final List<SparseHistogram> blocks = seconds(0, new SplittableRandom(1)).subList(0, 3);

        assertThat(new BlockBootstrap(blocks).variances(LatencyFigure.ALL, new SplittableRandom(1)))
                .containsOnly(0);
    }
}
