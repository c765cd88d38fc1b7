package io.tickmark.kernel.result;

import java.util.OptionalLong;
import org.HdrHistogram.AbstractHistogram;

/**
 * The one rule for the values that a percentile needs: at least {@link #FEWEST_ABOVE} above it.
 * With fewer it depends on a few chance values, or is the maximum under another name, and it is not
 * shown: the median needs 20 values, the 99th percentile 1,000, the 99.99th 100,000.
 */
public final class Percentiles {
    /** Fewest values above a percentile that is shown. */
    public static final int FEWEST_ABOVE = 10;

    private static final double ALL = 100;

    /** Far below one value: the error of the binary fractions of 99.9 and 99.99. */
    private static final double ROUNDING = 1e-9;

    private Percentiles() {}

    /**
     * Whether this many values are enough for the percentile.
     *
     * @param count of values
     * @param percent 0 to 100
     * @return false where fewer than {@link #FEWEST_ABOVE} of them are above it
     */
    public static boolean isReportable(final long count, final double percent) {
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
        return isReportable(histogram.getTotalCount(), percent)
                ? OptionalLong.of(histogram.getValueAtPercentile(percent))
                : OptionalLong.empty();
    }

    /** Percentiles from another source, without those for which there are too few values. */
    static OptionalLong reportable(final OptionalLong ns, final long count, final double percent) {
        return ns != null && isReportable(count, percent) ? ns : OptionalLong.empty();
    }
}
