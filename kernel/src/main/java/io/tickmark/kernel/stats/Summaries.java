package io.tickmark.kernel.stats;

import io.tickmark.kernel.result.Aggregate.Spread;
import java.util.Arrays;

/** Summarises repeats and roles; pure functions. */
public final class Summaries {
    private Summaries() {}

    /**
     * The middle value; the mean of the middle two where their number is even.
     *
     * @param values at least one, not changed
     * @return the median
     */
    public static double median(final double... values) {
        final double[] sorted = sorted(values);
        final int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
    }

    /**
     * Median, smallest and largest of a figure over repeats.
     *
     * @param values at least one, not changed
     * @return the spread
     */
    public static Spread spread(final double... values) {
        final double[] sorted = sorted(values);
        return new Spread(median(sorted), sorted[0], sorted[sorted.length - 1]);
    }

    private static double[] sorted(final double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("nothing to sum up");
        }
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
