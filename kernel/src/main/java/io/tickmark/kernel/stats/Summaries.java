package io.tickmark.kernel.stats;

import io.tickmark.kernel.result.Aggregate.Spread;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import org.HdrHistogram.Histogram;

/** Sums up repeats and roles; pure functions. */
public final class Summaries {
    private Summaries() {}

    /**
     * The sum of histograms; percentiles of several roles or repeats come from it and never from
     * averages of percentiles.
     *
     * @param histograms at least one, left as they are
     * @return a new histogram that holds all their values
     */
    public static Histogram merge(final Collection<Histogram> histograms) {
        final Iterator<Histogram> each = histograms.iterator();
        if (!each.hasNext()) {
            throw new IllegalArgumentException("nothing to merge");
        }
        final Histogram sum = each.next().copy();
        each.forEachRemaining(sum::add);
        return sum;
    }

    /**
     * The middle value; the mean of the middle two where their number is even.
     *
     * @param values at least one, left as they are
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
     * @param values at least one, left as they are
     * @return the spread
     */
    public static Spread spread(final double... values) {
        final double[] sorted = sorted(values);
        return new Spread(median(sorted), sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * How far apart repeats are, as part of their median.
     *
     * @param spread of the repeats
     * @return (max - min) / |median|; 0 where they are all the same, infinite where only the median
     *     is 0
     */
    public static double relativeSpread(final Spread spread) {
        final double range = spread.max() - spread.min();
        return range == 0 ? 0 : range / Math.abs(spread.median());
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
