package io.tickmark.kernel.result;

import java.util.OptionalLong;
import org.HdrHistogram.AbstractHistogram;

/**
 * The one rule for what a percentile takes: at least {@link #FEWEST_ABOVE} values above it. With
 * fewer it is the chance of a few values, or the maximum under another name, and it is not shown:
 * the median takes 20 values, the 99th percentile 1,000, the 99.99th 100,000.
 */
public final class Percentiles {
    /** Fewest values above a percentile that is told. */
    public static final int FEWEST_ABOVE = 10;

    private static final double ALL = 100;

    /** Far below one value: what the binary fractions of 99.9 and 99.99 are off by. */
    private static final double ROUNDING = 1e-9;

    private Percentiles() {}

    /**
     * Whether so many values have such a percentile.
     *
     * @param count of values
     * @param percent 0 to 100
     * @return false where fewer than {@link #FEWEST_ABOVE} of them are above it
     */
    public static boolean isTold(final long count, final double percent) {
        return count * ((ALL - percent) / ALL) * (1 + ROUNDING) >= FEWEST_ABOVE;
    }

    /**
     * A percentile of a histogram.
     *
     * @param histogram of any unit
     * @param percent 0 to 100
     * @return in the histogram's unit and to its digits; empty where too few values are above it
     */
    public static OptionalLong of(final AbstractHistogram histogram, final double percent) {
        return isTold(histogram.getTotalCount(), percent)
                ? OptionalLong.of(histogram.getValueAtPercentile(percent))
                : OptionalLong.empty();
    }

    /** What was told elsewhere, without what so many values do not have. */
    static OptionalLong told(final OptionalLong ns, final long count, final double percent) {
        return ns != null && isTold(count, percent) ? ns : OptionalLong.empty();
    }
}
