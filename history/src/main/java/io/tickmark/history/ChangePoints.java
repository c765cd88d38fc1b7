package io.tickmark.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The points at which a series changed: E-Divisive, hierarchical estimation by energy statistics
 * (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate
 * Data", Journal of the American Statistical Association 109, 2014). It assumes no distribution,
 * and tells changes of any kind. Performance tests are watched with it elsewhere: Daly, Brown,
 * Ingo, O'Leary and Bradford, "The Use of Change Point Detection to Identify Software Performance
 * Regressions in a Continuous Integration System", ICPE 2020.
 *
 * <p>The split that sets two parts furthest apart is held against splits of the same values in
 * random order; where it is further apart than nearly all of these, it is a change, and both parts
 * are split again. Seeded: the same series gives the same points.
 */
public final class ChangePoints {
    /** Fewer values on a side say nothing. */
    private static final int FEWEST = 3;

    private static final int PERMUTATIONS = 499;
    private static final double SIGNIFICANCE = 0.01;
    private static final long SEED = 20141L;

    private ChangePoints() {}

    private record Split(int at, double distance) {}

    /**
     * Finds them.
     *
     * @param values in the order of time; logarithms where ratios matter
     * @return for each change the place of its first new value, ascending
     */
    public static List<Integer> of(final double... values) {
        final List<Integer> found = new ArrayList<>();
        find(values, 0, values.length, found, new SplittableRandom(SEED));
        found.sort(null);
        return found;
    }

    private static void find(
            final double[] values,
            final int from,
            final int to,
            final List<Integer> found,
            final SplittableRandom random) {
        if (to - from < 2 * FEWEST) {
            return;
        }
        final double[] part = Arrays.copyOfRange(values, from, to);
        final Split best = best(part);
        if (best.distance() <= 0) {
            return;
        }
        int asFar = 1;
        final int most = (int) (SIGNIFICANCE * (PERMUTATIONS + 1));
        for (int i = 0; i < PERMUTATIONS && asFar <= most; i++) {
            shuffle(part, random);
            asFar += best(part).distance() >= best.distance() ? 1 : 0;
        }
        if (asFar <= most) {
            found.add(from + best.at());
            find(values, from, from + best.at(), found, random);
            find(values, from + best.at(), to, found, random);
        }
    }

    private static void shuffle(final double[] values, final SplittableRandom random) {
        for (int i = values.length - 1; i > 0; i--) {
            final int j = random.nextInt(i + 1);
            final double value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
    }

    /** The split with the largest energy distance, scaled by the sizes of its parts. */
    private static Split best(final double[] values) {
        final int n = values.length;
        // sums of distances within the left part, within the right part, and across
        double left = 0;
        double right = 0;
        double across = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                right += Math.abs(values[i] - values[j]);
            }
        }
        Split best = new Split(0, 0);
        for (int at = 1; at < n; at++) {
            // the value before the split moves from right to left
            double toLeft = 0;
            double toRight = 0;
            for (int i = 0; i < n; i++) {
                final double distance = Math.abs(values[at - 1] - values[i]);
                if (i < at - 1) {
                    toLeft += distance;
                } else {
                    toRight += distance;
                }
            }
            left += toLeft;
            across += toRight - toLeft;
            right -= toRight;
            if (at >= FEWEST && n - at >= FEWEST) {
                final double distance = distance(left, right, across, at, n - at);
                if (distance > best.distance()) {
                    best = new Split(at, distance);
                }
            }
        }
        return best;
    }

    private static double distance(
            final double left,
            final double right,
            final double across,
            final double n,
            final double m) {
        final double energy =
                2 * across / (n * m) - 2 * left / (n * (n - 1)) - 2 * right / (m * (m - 1));
        return n * m / (n + m) * energy;
    }
}
