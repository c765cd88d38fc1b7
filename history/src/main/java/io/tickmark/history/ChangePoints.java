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

    /** Sums in another order differ in their last digits, and are as far apart all the same. */
    private static final double EQUAL = 1 - 1e-9;

    /** Values looked at together: the work grows with them, and older ones say no more. */
    static final int WINDOW = 256;

    /** A change is settled when so many values after it are known. */
    private static final int AFTER = WINDOW / 4;

    /** Settled values that a change of the next window is held against. */
    private static final int BEFORE = WINDOW / 4;

    private ChangePoints() {}

    /**
     * What is settled at the beginning of a series: whatever values follow, it stays.
     *
     * @param values how many of the first values are settled
     * @param changes among them, ascending
     */
    record Settled(int values, List<Integer> changes) {
        /** For a series that was not examined yet. */
        static final Settled NOTHING = new Settled(0, List.of());

        Settled {
            changes = List.copyOf(changes);
        }
    }

    /**
     * What was found.
     *
     * @param changes for each the place of its first new value, ascending
     * @param settled the part of it that stays
     * @param windows how many windows were searched for it, which is the work
     */
    record Found(List<Integer> changes, Settled settled, int windows) {
        Found {
            changes = List.copyOf(changes);
        }
    }

    private record Split(int at, double distance) {}

    /**
     * Finds them.
     *
     * @param values in the order of time; logarithms where ratios matter
     * @return for each change the place of its first new value, ascending
     */
    public static List<Integer> of(final double... values) {
        return after(Settled.NOTHING, values).changes();
    }

    /**
     * Finds those that are not known yet. Up to {@link #WINDOW} values are searched as a whole, of
     * more one window after the other, so that one more value costs one window and not all of them.
     *
     * @param known what an earlier search settled of the same values
     * @param values in the order of time; logarithms where ratios matter
     * @return all changes
     */
    static Found after(final Settled known, final double... values) {
        Settled settled = known;
        for (int windows = 1; ; windows++) {
            final int from = Math.max(0, settled.values() - BEFORE);
            final int to = Math.min(from + WINDOW, values.length);
            final List<Integer> found = new ArrayList<>();
            find(values, from, to, found, new SplittableRandom(SEED));
            found.sort(null);
            final int settledBefore = settled.values();
            final List<Integer> all = new ArrayList<>(settled.changes());
            found.stream().filter(at -> at >= settledBefore).forEach(all::add);
            if (to == values.length) {
                return new Found(all, settled, windows);
            }
            final int settledNow = to - AFTER;
            settled = new Settled(settledNow, all.stream().filter(at -> at < settledNow).toList());
        }
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
        final Distances distances = new Distances(Arrays.copyOfRange(values, from, to));
        final Split best = distances.best();
        if (best.distance() <= 0) {
            return;
        }
        int asFar = 1;
        final int most = (int) (SIGNIFICANCE * (PERMUTATIONS + 1));
        for (int i = 0; i < PERMUTATIONS && asFar <= most; i++) {
            distances.shuffle(random);
            asFar += distances.best().distance() >= best.distance() * EQUAL ? 1 : 0;
        }
        if (asFar <= most) {
            found.add(from + best.at());
            find(values, from, from + best.at(), found, random);
            find(values, from + best.at(), to, found, random);
        }
    }

    /**
     * The values of a part in an order that changes. The distances of a value to those before it
     * are summed in trees over the ranks (Fenwick, "A New Data Structure for Cumulative Frequency
     * Tables", Software: Practice and Experience 24, 1994), and those to all others stay the same
     * in any order: a split is found in n log n steps instead of n squared.
     */
    private static final class Distances {
        private final double[] sorted;

        /** The ranks in the order of the values; equal values have one rank. */
        private final int[] order;

        /** By rank, the sum of the distances to all others. */
        private final double[] toAll;

        /** The sum of all distances, each counted once. */
        private final double total;

        private final int[] counts;
        private final double[] sums;

        Distances(final double[] values) {
            final int n = values.length;
            sorted = values.clone();
            Arrays.sort(sorted);
            toAll = new double[n];
            final double all = Arrays.stream(sorted).sum();
            double below = 0;
            for (int i = 0; i < n; i++) {
                toAll[i] = (2 * i - n) * sorted[i] + all - 2 * below;
                below += sorted[i];
            }
            total = Arrays.stream(toAll).sum() / 2;
            order = Arrays.stream(values).mapToInt(this::rank).toArray();
            counts = new int[n + 1];
            sums = new double[n + 1];
        }

        private int rank(final double value) {
            int rank = Arrays.binarySearch(sorted, value);
            while (rank > 0 && sorted[rank - 1] == value) {
                rank--;
            }
            return rank;
        }

        void shuffle(final SplittableRandom random) {
            for (int i = order.length - 1; i > 0; i--) {
                final int j = random.nextInt(i + 1);
                final int rank = order[i];
                order[i] = order[j];
                order[j] = rank;
            }
        }

        /** The split with the largest energy distance, scaled by the sizes of its parts. */
        Split best() {
            final int n = order.length;
            Arrays.fill(counts, 0);
            Arrays.fill(sums, 0);
            // sums of distances within the left part, within the right part, and across
            double left = 0;
            double right = total;
            double across = 0;
            double sumOfLeft = 0;
            Split best = new Split(0, 0);
            for (int at = 1; at < n; at++) {
                // the value before the split moves from right to left
                final int rank = order[at - 1];
                final double value = sorted[rank];
                int below = 0;
                double sumBelow = 0;
                for (int i = rank + 1; i > 0; i -= i & -i) {
                    below += counts[i];
                    sumBelow += sums[i];
                }
                final double toLeft = (2 * below - (at - 1)) * value + sumOfLeft - 2 * sumBelow;
                final double toRight = toAll[rank] - toLeft;
                for (int i = rank + 1; i <= n; i += i & -i) {
                    counts[i]++;
                    sums[i] += value;
                }
                sumOfLeft += value;
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
