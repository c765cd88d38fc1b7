package io.tickmark.lab.compare;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How far the figures of one repeat depend on the moments in which it was measured. Messages that
 * follow each other are not independent (a stall hits many), so not messages but runs of whole
 * intervals are drawn again: the stationary bootstrap (Politis and Romano, Journal of the American
 * Statistical Association 89, 1994), its mean run of the cube root of the number of intervals (the
 * order that is best for variances: Hall, Horowitz and Jing, Biometrika 82, 1995). Seeded by its
 * caller: the same input gives the same figures.
 */
final class BlockBootstrap {
    /** Fewer intervals say nothing about how they differ. */
    static final int FEWEST_BLOCKS = 4;

    private static final int RESAMPLES = 200;

    private final long[] values;
    private final long[][] counts;

    /** The intervals of one repeat in the order of time. */
    BlockBootstrap(final List<SparseHistogram> blocks) {
        values =
                blocks.stream()
                        .flatMapToLong(block -> Arrays.stream(block.values()))
                        .sorted()
                        .distinct()
                        .toArray();
        counts = new long[blocks.size()][values.length];
        for (int i = 0; i < counts.length; i++) {
            final SparseHistogram block = blocks.get(i);
            for (int j = 0; j < block.values().length; j++) {
                counts[i][Arrays.binarySearch(values, block.values()[j])] += block.counts()[j];
            }
        }
    }

    /**
     * Variances of the logarithms of the figures.
     *
     * @param figures of a latency
     * @param random where the draws come from
     * @return one for each figure; 0 where there are too few intervals to tell
     */
    double[] variances(final List<LatencyFigure> figures, final SplittableRandom random) {
        final double[] sums = new double[figures.size()];
        final double[] squares = new double[figures.size()];
        if (counts.length < FEWEST_BLOCKS) {
            return sums;
        }
        for (int resample = 0; resample < RESAMPLES; resample++) {
            final long[] drawn = draw(random);
            for (int i = 0; i < sums.length; i++) {
                final double log = Math.log(figures.get(i).of(values, drawn));
                sums[i] += log;
                squares[i] += log * log;
            }
        }
        final double[] variances = new double[sums.length];
        for (int i = 0; i < sums.length; i++) {
            final double mean = sums[i] / RESAMPLES;
            final double bias = counts.length / (counts.length - 1.0);
            variances[i] = Math.max(0, squares[i] / RESAMPLES - mean * mean) * bias;
        }
        return variances;
    }

    private long[] draw(final SplittableRandom random) {
        final double endOfRun = 1 / Math.cbrt(counts.length);
        final int[] times = new int[counts.length];
        int at = random.nextInt(counts.length);
        for (int i = 0; i < counts.length; i++) {
            times[at]++;
            at =
                    random.nextDouble() < endOfRun
                            ? random.nextInt(counts.length)
                            : (at + 1) % counts.length;
        }
        final long[] drawn = new long[values.length];
        for (int i = 0; i < counts.length; i++) {
            if (times[i] > 0) {
                for (int j = 0; j < drawn.length; j++) {
                    drawn[j] += times[i] * counts[i][j];
                }
            }
        }
        return drawn;
    }
}
