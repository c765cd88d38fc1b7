package io.tickmark.lab.compare;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How far the figures of one repeat depend on the moments in which it was measured. Consecutive
 * messages are not independent (a stall hits many), so runs of whole intervals instead of messages
 * are resampled: the stationary bootstrap (Politis and Romano, Journal of the American Statistical
 * Association 89, 1994), its mean run of the cube root of the number of intervals (the order that
 * is best for variances: Hall, Horowitz and Jing, Biometrika 82, 1995). Seeded by its caller: the
 * same input gives the same figures.
 */
final class BlockBootstrap {
    /** Fewer intervals show nothing about how they differ. */
    static final int FEWEST_BLOCKS = 4;

    private static final int RESAMPLES = 200;

    private final long[] values;

    /**
     * For each value: messages of each interval up to it, so that a percentile is found by
     * bisection. One array, value by value, because each step of the bisection reads all intervals.
     */
    private final long[] cumulative;

    private final double[] sums;

    /** The intervals of one repeat in the order of time. */
    BlockBootstrap(final List<SparseHistogram> blocks) {
        values = distinct(blocks);
        cumulative = new long[values.length * blocks.size()];
        sums = new double[blocks.size()];
        for (int i = 0; i < sums.length; i++) {
            final SparseHistogram block = blocks.get(i);
            long messages = 0;
            int next = 0;
            for (int j = 0; j < values.length; j++) {
                if (next < block.values().length && block.values()[next] == values[j]) {
                    messages += block.counts()[next];
                    sums[i] += (double) values[j] * block.counts()[next];
                    next++;
                }
                cumulative[j * sums.length + i] = messages;
            }
        }
    }

    /** A stream would box each value to tell it from the others. */
    private static long[] distinct(final List<SparseHistogram> blocks) {
        final long[] sorted =
                new long[blocks.stream().mapToInt(block -> block.values().length).sum()];
        int copied = 0;
        for (final SparseHistogram block : blocks) {
            System.arraycopy(block.values(), 0, sorted, copied, block.values().length);
            copied += block.values().length;
        }
        Arrays.sort(sorted);
        int found = 0;
        for (final long value : sorted) {
            if (found == 0 || value != sorted[found - 1]) {
                sorted[found++] = value;
            }
        }
        return Arrays.copyOf(sorted, found);
    }

    /** Whether there are enough of them to show how they differ. */
    boolean isEnough() {
        return sums.length >= FEWEST_BLOCKS;
    }

    /**
     * Variances of the logarithms of the figures.
     *
     * @param figures of a latency
     * @param random source of the draws
     * @return one for each figure; 0 where there are too few intervals
     */
    double[] variances(final List<LatencyFigure> figures, final SplittableRandom random) {
        final double[] mean = new double[figures.size()];
        final double[] squares = new double[figures.size()];
        if (!isEnough()) {
            return squares;
        }
        for (int resample = 0; resample < RESAMPLES; resample++) {
            final int[] times = draw(random);
            for (int i = 0; i < mean.length; i++) {
                final double log = Math.log(figure(figures.get(i), times));
                final double before = log - mean[i];
                mean[i] += before / (resample + 1);
                squares[i] += before * (log - mean[i]);
            }
        }
        // n intervals drawn from n vary less than n new ones would
        final double more = sums.length / (sums.length - 1.0);
        return Arrays.stream(squares).map(square -> square / RESAMPLES * more).toArray();
    }

    /** How often each interval is drawn. */
    private int[] draw(final SplittableRandom random) {
        final double endOfRun = 1 / Math.cbrt(sums.length);
        final int[] times = new int[sums.length];
        int at = random.nextInt(sums.length);
        for (int i = 0; i < times.length; i++) {
            times[at]++;
            at =
                    random.nextDouble() < endOfRun
                            ? random.nextInt(times.length)
                            : (at + 1) % times.length;
        }
        return times;
    }

    private double figure(final LatencyFigure figure, final int... times) {
        final double all = upTo(values.length - 1, times);
        if (figure.isMean()) {
            double sum = 0;
            for (int i = 0; i < times.length; i++) {
                sum += times[i] * sums[i];
            }
            return sum / all;
        }
        int low = 0;
        int high = values.length - 1;
        while (low < high) {
            final int middle = (low + high) / 2;
            if (upTo(middle, times) >= figure.part() * all) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return values[low];
    }

    private double upTo(final int value, final int... times) {
        final int at = value * times.length;
        long messages = 0;
        for (int i = 0; i < times.length; i++) {
            messages += times[i] * cumulative[at + i];
        }
        return messages;
    }
}
