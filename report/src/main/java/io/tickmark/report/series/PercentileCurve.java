package io.tickmark.report.series;

import io.tickmark.kernel.result.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.AbstractHistogram;

/**
 * A distribution as a curve over the nines. Point k is at {@code x = k / POINTS_PER_DECADE}, where
 * {@code x = log10(1 / (1 - q))}: 0 is the minimum, 1 the 90th percentile, 2 the 99th.
 *
 * @param count latencies in it
 * @param maxNs the longest
 * @param ns latency at each point of the grid, as far as ten latencies are above it
 */
public record PercentileCurve(long count, long maxNs, List<Long> ns) {
    /** Points for each further nine: enough for a smooth line, few enough for a small file. */
    public static final int POINTS_PER_DECADE = 20;

    /** Copies the list. */
    public PercentileCurve {
        ns = List.copyOf(ns);
    }

    /**
     * The curve of a histogram.
     *
     * @param histogram in ns, with at least one value
     * @return the curve
     */
    public static PercentileCurve of(final AbstractHistogram histogram) {
        final long count = histogram.getTotalCount();
        final List<Long> ns = new ArrayList<>();
        for (int point = 0; ; point++) {
            final double above = Math.pow(10, -(double) point / POINTS_PER_DECADE);
            final OptionalLong percentile = Percentiles.of(histogram, 100 * (1 - above));
            if (percentile.isEmpty()) {
                break;
            }
            ns.add(percentile.getAsLong());
        }
        return new PercentileCurve(count, histogram.getMaxValue(), ns);
    }
}
